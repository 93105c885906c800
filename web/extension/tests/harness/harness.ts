// What the panel calls, for tests to call.
import { onRequest, type PanelRequest } from "../../src/requests.ts";
import * as language from "../../src/tabs/language.ts";
import * as list from "../../src/tabs/list.ts";
import * as permissions from "../../src/tabs/permissions.ts";
import * as read from "../../src/tabs/read.ts";
import * as show from "../../src/tabs/show.ts";
import * as words from "../../src/tabs/words.ts";

const requests: PanelRequest[] = [];
onRequest((request) => requests.push(request));
Object.assign(globalThis, { cerasum: { ...language, ...list, ...permissions, ...read, ...show, ...words, requests } });
