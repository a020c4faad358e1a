import { type Static, Type } from 'typebox';

const LONGEST_TEXT = 20_000;
const LONGEST_LABEL = 500;
const LONGEST_URL = 2_000;
const MOST_BLOCKS = 200;
const MOST_IN_A_COLUMN = 50;

const Words = (longest: number) => Type.String({ minLength: 1, maxLength: longest });
const Shape = <T extends string, P extends Record<string, ReturnType<typeof Type.String>>>(type: T, fields: P) =>
  Type.Object({ type: Type.Literal(type), ...fields }, { additionalProperties: false });

const Heading = Shape('heading', { text: Words(LONGEST_LABEL) });
const Text = Shape('text', { text: Words(LONGEST_TEXT) });
const Button = Shape('button', { label: Words(LONGEST_LABEL), url: Words(LONGEST_URL) });
const Image = Shape('image', { url: Words(LONGEST_URL), alt: Type.String({ maxLength: LONGEST_LABEL }) });
const Divider = Shape('divider', {});
const Spacer = Shape('spacer', {});
const SimpleBlock = Type.Union([Heading, Text, Button, Image, Divider, Spacer]);
const Columns = Type.Object(
  {
    type: Type.Literal('columns'),
    columns: Type.Array(Type.Array(SimpleBlock, { maxItems: MOST_IN_A_COLUMN }), { minItems: 2, maxItems: 3 }),
  },
  { additionalProperties: false },
);

/** A mailing as its writer laid it out. Texts, labels, URLs and alternatives may hold mustaches. */
export const Blocks = Type.Array(Type.Union([SimpleBlock, Columns]), { minItems: 1, maxItems: MOST_BLOCKS });

export type SimpleBlock = Static<typeof SimpleBlock>;
export type Block = Static<typeof Blocks>[number];

/** The rules of each type of block, so that a mistake can be told by the type it was meant to be. */
export const BLOCK_RULES = {
  heading: Heading,
  text: Text,
  button: Button,
  image: Image,
  divider: Divider,
  spacer: Spacer,
  columns: Columns,
} as const;
