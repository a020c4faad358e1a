import { type Static, type TProperties, Type } from 'typebox';

const LONGEST_TEXT = 20_000;
const LONGEST_LABEL = 500;
const LONGEST_ADDRESS = 2_000;
const MOST_BLOCKS = 200;
const MOST_IN_A_COLUMN = 50;
const MOST_LINES = 200;
const MOST_RUNS = 200;
const MOST_LINKS = 12;

const Words = (longest: number) => Type.String({ minLength: 1, maxLength: longest });
const Url = Words(LONGEST_ADDRESS);
const strict = { additionalProperties: false };
const Shape = <T extends string, P extends TProperties>(type: T, fields: P) =>
  Type.Object({ type: Type.Literal(type), ...fields }, strict);

const ALIGNED = { align: Type.Optional(Type.Enum(['left', 'center', 'right'])) };

/** A stretch of text that looks the same all through. */
const Run = Type.Object(
  {
    text: Words(LONGEST_TEXT),
    bold: Type.Optional(Type.Boolean()),
    italic: Type.Optional(Type.Boolean()),
    link: Type.Optional(Url),
  },
  strict,
);

/** The lines of a paragraph, or the points of a list. */
const Part = Type.Object(
  {
    type: Type.Enum(['paragraph', 'bullets', 'numbers']),
    lines: Type.Array(Type.Array(Run, { maxItems: MOST_RUNS }), { minItems: 1, maxItems: MOST_LINES }),
  },
  strict,
);

const Link = Type.Object({ label: Words(LONGEST_LABEL), url: Url }, strict);

const Heading = Shape('heading', {
  text: Words(LONGEST_LABEL),
  level: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  ...ALIGNED,
});
const Text = Shape('text', { text: Words(LONGEST_TEXT) });
const RichText = Shape('rich_text', {
  parts: Type.Array(Part, { minItems: 1, maxItems: MOST_LINES }),
  ...ALIGNED,
});
const Button = Shape('button', {
  label: Words(LONGEST_LABEL),
  url: Url,
  colour: Type.Optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
  ...ALIGNED,
});
const Image = Shape('image', {
  url: Url,
  alt: Type.String({ maxLength: LONGEST_LABEL }),
  link: Type.Optional(Url),
  width: Type.Optional(Type.Integer({ minimum: 16, maximum: 600, description: 'In pixels' })),
  ...ALIGNED,
});
const Divider = Shape('divider', {});
const Spacer = Shape('spacer', {
  height: Type.Optional(Type.Integer({ minimum: 4, maximum: 200, description: 'In pixels' })),
});
const Social = Shape('social', { links: Type.Array(Link, { minItems: 1, maxItems: MOST_LINKS }), ...ALIGNED });
const Footer = Shape('footer', { text: Words(LONGEST_ADDRESS), unsubscribe: Words(LONGEST_LABEL) });
const SimpleBlock = Type.Union([Heading, Text, RichText, Button, Image, Divider, Spacer, Social, Footer]);
const Columns = Type.Object(
  {
    type: Type.Literal('columns'),
    columns: Type.Array(Type.Array(SimpleBlock, { maxItems: MOST_IN_A_COLUMN }), { minItems: 2, maxItems: 3 }),
  },
  strict,
);

/** A mailing as its writer laid it out. Texts, labels, URLs and alternatives may hold mustaches. */
export const Blocks = Type.Array(Type.Union([SimpleBlock, Columns]), { minItems: 1, maxItems: MOST_BLOCKS });

export type TextRun = Static<typeof Run>;
export type TextPart = Static<typeof Part>;
export type SimpleBlock = Static<typeof SimpleBlock>;
export type Block = Static<typeof Blocks>[number];

/** The rules of each type of block, so that a mistake can be told by the type it was meant to be. */
export const BLOCK_RULES = {
  heading: Heading,
  text: Text,
  rich_text: RichText,
  button: Button,
  image: Image,
  divider: Divider,
  spacer: Spacer,
  social: Social,
  footer: Footer,
  columns: Columns,
} as const;
