// The description that the Worker serves (openapi.json), as a check.

import assert from "node:assert/strict";
import Ajv from "ajv/dist/2020.js";

/** Holds requests and answers to the description that the Worker serves. */
export function checker(description) {
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { uri: (s) => URL.canParse(s) } });
  ajv.addSchema({ $id: "edge", ...description });
  const valid = (pointer, value) => {
    const validate = ajv.getSchema(`edge#${pointer}`) ?? ajv.compile({ $ref: `edge#${pointer}` });
    assert.ok(validate(value), `${pointer}: ${JSON.stringify(validate.errors)}\n${JSON.stringify(value).slice(0, 500)}`);
  };
  const escape = (path) => path.replaceAll("~", "~0").replaceAll("/", "~1");
  return {
    request: (path, value) => valid(`/paths/${escape(path)}/post/requestBody/content/${escape("application/json")}/schema`, value),
    async answer(method, path, response) {
      const operation = description.paths[path][method.toLowerCase()];
      let [where, told] = [`/paths/${escape(path)}/${method.toLowerCase()}/responses/${response.status}`, operation.responses[response.status]];
      assert.ok(told, `${method} ${path}: status ${response.status} is not described`);
      if (told.$ref) where = told.$ref.slice(1);
      const type = response.status === 200 ? "application/json" : "application/problem+json";
      assert.equal(response.headers.get("content-type"), type);
      const value = await response.json();
      valid(`${where}/content/${escape(type)}/schema`, value);
      return value;
    },
  };
}
