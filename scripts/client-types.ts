// Writes the types of the dashboard's client from the OpenAPI document of the product.

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

interface Described {
  operationId: string;
  parameters?: { in: string; name: string; required?: boolean }[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, Described>>;
}

const PLAIN = new Map([
  ['string', 'string'],
  ['integer', 'number'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

/** The module that names every operation with its method, its address and the types of what goes in and comes out. */
export function clientTypes({ paths }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method: method.toUpperCase(), described })),
  );
  operations.sort((one, other) => one.described.operationId.localeCompare(other.described.operationId));
  const addresses = operations.map(
    ({ path, method, described }) => `  ${described.operationId}: '${method} ${path}',\n`,
  );
  const types = operations.map(
    ({ described }) =>
      `  ${described.operationId}: {\n    params: ${parametersOf(described, 'path')};\n    query: ${parametersOf(described, 'query')};\n    body: ${bodyOf(described)};\n    reply: ${replyOf(described)};\n  };\n`,
  );
  return `// Written by \`npm run docs\` from docs/api/openapi.json.

export const ADDRESSES = {
${addresses.join('')}} as const;

export interface Operations {
${types.join('')}}
`;
}

function parametersOf({ parameters = [] }: Described, place: string): string {
  const named = parameters.filter((each) => each.in === place);
  if (named.length === 0) return 'undefined';
  // What stands in an address is text in the end, whatever it is written from.
  const type = place === 'path' ? 'string | number' : 'string | number | boolean | string[]';
  const lines = named.map(({ name, required }) =>
    required === true ? `${key(name)}: ${type}` : `${key(name)}?: ${type} | undefined`,
  );
  return `{ ${lines.join('; ')} }`;
}

function bodyOf({ requestBody }: Described): string {
  const schema = requestBody?.content['application/json']?.schema;
  return schema === undefined ? 'undefined' : typeOf(schema);
}

function replyOf({ responses }: Described): string {
  const [, reply] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = reply?.content?.['application/json']?.schema;
  return schema === undefined ? 'undefined' : typeOf(schema);
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((each) => JSON.stringify(each)));
  if (schema.anyOf !== undefined) return union(schema.anyOf.map(typeOf));
  if (schema.allOf !== undefined) return schema.allOf.map((each) => `(${typeOf(each)})`).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  if (schema.type === 'array') return `Array<${schema.items === undefined ? 'unknown' : typeOf(schema.items)}>`;
  if (schema.type === 'object') return objectOf(schema);
  return PLAIN.get(schema.type ?? '') ?? 'unknown';
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    return `${key(name)}${isRequired ? '' : '?'}: ${typeOf(schema)}${isRequired ? '' : ' | undefined'}`;
  });
  if (lines.length === 0) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Record<string, ${values}>`;
  }
  return `{ ${lines.join('; ')} }`;
}

function union(types: string[]): string {
  if (types.includes('unknown')) return 'unknown';
  return `(${[...new Set(types)].join(' | ')})`;
}

function key(name: string): string {
  return /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
}
