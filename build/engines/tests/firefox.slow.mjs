import { run } from "../run.mjs";
import { extension } from "../scenarios/extension.mjs";
import { library } from "../scenarios/library.mjs";
import { slow } from "../scenarios/page.mjs";
import { security } from "../scenarios/security.mjs";

run("firefox", [...slow, ...security, ...library, ...extension]);
