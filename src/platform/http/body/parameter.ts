import { Type } from 'typebox';

/** A parameter of the query that is read by hand: it is text, and may be repeated. */
export const Parameter = (description: string) =>
  Type.Optional(Type.Union([Type.String({ description }), Type.Array(Type.String())]));

/** How a page stands among the others. */
export const PageInfo = Type.Object({
  count: Type.Integer(),
  pages: Type.Integer(),
  page: Type.Integer(),
  items: Type.Integer(),
});
