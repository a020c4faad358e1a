import { isNull, SchemaReferences } from './schema-references.ts';
import { isPlain, type Plain, textIn } from './settings.ts';

const STRING_FORMATS = new Map([
  ['email', 'email'],
  ['idn-email', 'email'],
  ['date', 'date'],
  ['time', 'time'],
  ['phone', 'phone'],
  ['tel', 'phone'],
  ['textarea', 'textarea'],
  ['data-url', 'file'],
  ['binary', 'file'],
]);

/** The type word for what takes any answer as it comes. */
const ANYTHING = 'anything';

const ADDRESS_PARTS = new Set(['street', 'street2', 'city', 'state', 'postal_code', 'country']);

/** Turns the properties of a JSON Schema into elements, so that both are read by the same code. */
export function elementsOfSchema(schema: Plain): Plain[] {
  return elementsIn(schema, new SchemaReferences(schema), false);
}

function elementsIn(schema: Plain, references: SchemaReferences, isInGroup: boolean): Plain[] {
  const properties = isPlain(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(properties).map(([name, property]) => {
    const followed = references.follow(isPlain(property) ? property : {});
    // `properties` and `items` are schemas here, while on an element they are its settings and its choices.
    const settings = Object.entries(followed).filter(([key]) => key !== 'properties' && key !== 'items');
    return {
      ...Object.fromEntries(settings),
      id: name,
      field_name: name,
      label: textIn(followed['title']) ?? name,
      required: required.has(name),
      ...shapeOf(followed, references, isInGroup),
    };
  });
}

function shapeOf(property: Plain, references: SchemaReferences, isInGroup: boolean): Plain {
  const options = choicesIn(property);
  if (options !== null) return { type: 'select', options };
  // A truth that is the only one is asked for as yes or no.
  if (typeof property['const'] === 'boolean') return { type: 'boolean' };
  const type = typeOf(property);
  if (type === 'array') return shapeOfList(property, references, isInGroup);
  if (type === 'object') return { type: isAddress(property) ? 'address' : 'object' };
  if (type !== 'string') return { type: type ?? ANYTHING };
  const format = textIn(property['format']) ?? '';
  if (property['contentEncoding'] === 'base64') return { type: 'file' };
  return { type: STRING_FORMATS.get(format) ?? (Number(property['maxLength']) > 255 ? 'textarea' : 'text') };
}

/** A list of choices or texts is chosen or written; of others, only objects with named properties are asked for. */
function shapeOfList(property: Plain, references: SchemaReferences, isInGroup: boolean): Plain {
  const items = references.follow(isPlain(property['items']) ? property['items'] : {});
  const options = choicesIn(items);
  if (options !== null || typeOf(items) === 'string') return { type: 'checkboxes', options: options ?? [] };
  // A group has no groups inside, so the depth of the schema is never followed.
  if (!isPlain(items['properties']) || isInGroup) return { type: ANYTHING };
  return { type: 'list', fields: elementsIn(items, references, true) };
}

/** The type besides null; none where there are several. */
function typeOf(property: Plain): string | null {
  const [type, ...others] = [property['type']].flat().filter((word) => word !== 'null');
  return others.length === 0 ? textIn(type) : null;
}

function choicesIn(schema: Plain): unknown[] | null {
  if (Array.isArray(schema['enum'])) return schema['enum'].filter((value) => value !== null).map(asConstant);
  const { const: only, oneOf, anyOf } = schema;
  if (typeof only === 'string' || typeof only === 'number') return [asConstant(only)];
  return constantsIn(oneOf) ?? constantsIn(anyOf);
}

function asConstant(value: unknown): unknown {
  return isPlain(value) ? value : { const: value };
}

function constantsIn(schemas: unknown): unknown[] | null {
  const listed = Array.isArray(schemas) ? schemas.filter((one) => !isNull(one)) : [];
  return listed.length > 0 && listed.every((one) => isPlain(one) && Object.hasOwn(one, 'const')) ? listed : null;
}

function isAddress({ properties }: Plain): boolean {
  const parts = isPlain(properties) ? Object.keys(properties) : [];
  return parts.length > 0 && parts.every((part) => ADDRESS_PARTS.has(part));
}
