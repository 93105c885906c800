import { run } from "../run.mjs";
import { quick } from "../scenarios/page.mjs";

run("firefox", quick);
