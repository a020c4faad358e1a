import { type TSchema, Type } from 'typebox';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Text is handed on whenever this much of it is there, so that what it was made of need not be kept. */
const PIECE = 2 ** 16;

/** What an endpoint replies with that writes its JSON itself; the schema says what it looks like. */
export function WrittenJson(schema: TSchema) {
  return Type.Unsafe<Uint8Array>(schema);
}

/** The same for what may be more than fits into one text, sent while it is made. */
export function StreamedJson(schema: TSchema) {
  return Type.Unsafe<AsyncIterable<Uint8Array>>(schema);
}

/**
 * `{"data": […]}`, written item by item: for lists of thousands, where all objects at once and the writer that follows from
 * a schema take more than twice the time. Nothing filters what `describe` answers with.
 */
export function writeJsonList<Item>(items: Iterable<Item>, describe: (item: Item) => object): Uint8Array {
  const pieces: Buffer[] = [];
  let [text, separator] = ['{"data":[', ''];
  for (const item of items) {
    text += separator + JSON.stringify(describe(item));
    separator = ',';
    if (text.length < PIECE) continue;
    pieces.push(Buffer.from(text));
    text = '';
  }
  return Buffer.concat([...pieces, Buffer.from(`${text}]}`)]);
}

/** `{"data": […], …}` with what stands beside the list, item by item while they come; nothing filters `describe` here either. */
export async function* streamJsonList<Item>(
  items: AsyncIterable<Item>,
  describe: (item: Item) => object,
  beside: object,
): AsyncGenerator<Uint8Array> {
  let [text, separator] = ['{"data":[', ''];
  for await (const item of items) {
    text += separator + JSON.stringify(describe(item));
    separator = ',';
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}],${JSON.stringify(beside).slice(1)}`);
}
