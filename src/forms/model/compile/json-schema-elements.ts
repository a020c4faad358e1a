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

const ADDRESS_PARTS = new Set(['street', 'street2', 'city', 'state', 'postal_code', 'country']);

/** Turns the properties of a JSON Schema into elements, so that both are read by the same code. */
export function elementsOfSchema(schema: Plain, isInGroup = false): Plain[] {
  const properties = isPlain(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(properties).map(([name, property]) => {
    return elementOf(name, isPlain(property) ? property : { type: 'hidden' }, required.has(name), isInGroup);
  });
}

function elementOf(name: string, property: Plain, required: boolean, isInGroup: boolean): Plain {
  // `properties` and `items` are schemas here, while on an element they are its settings and its choices.
  const settings = Object.entries(property).filter(([key]) => key !== 'properties' && key !== 'items');
  const label = textIn(property['title']) ?? name;
  return {
    ...Object.fromEntries(settings),
    id: name,
    field_name: name,
    label,
    required,
    ...shapeOf(property, isInGroup),
  };
}

function shapeOf(property: Plain, isInGroup: boolean): Plain {
  const options = choicesIn(property);
  if (options !== null) return { type: 'select', options };
  const type = typeOf(property);
  const items = isPlain(property['items']) ? property['items'] : {};
  if (type === 'array') {
    // A group has no groups inside, so the depth of the schema is never followed.
    if (isPlain(items['properties'])) return { type: 'list', fields: isInGroup ? [] : elementsOfSchema(items, true) };
    return { type: 'checkboxes', options: choicesIn(items) ?? [] };
  }
  if (type === 'object') return { type: isAddress(property) ? 'address' : 'object' };
  if (type !== 'string') return { type: type ?? 'text' };
  const format = textIn(property['format']) ?? '';
  if (property['contentEncoding'] === 'base64') return { type: 'file' };
  return { type: STRING_FORMATS.get(format) ?? (Number(property['maxLength']) > 255 ? 'textarea' : 'text') };
}

function typeOf(property: Plain): string | null {
  const type = property['type'];
  return textIn(Array.isArray(type) ? type.find((word) => word !== 'null') : type);
}

function choicesIn(schema: Plain): unknown[] | null {
  if (Array.isArray(schema['enum'])) return schema['enum'].filter((value) => value !== null);
  const listed = schema['oneOf'];
  return Array.isArray(listed) && listed.every((one) => isPlain(one) && Object.hasOwn(one, 'const')) ? listed : null;
}

function isAddress({ properties }: Plain): boolean {
  const parts = isPlain(properties) ? Object.keys(properties) : [];
  return parts.length > 0 && parts.every((part) => ADDRESS_PARTS.has(part));
}
