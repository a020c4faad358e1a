const words = (text: string) => new Set(text.split(/\s+/));

/** What is written anew; of any other element only the content stays. */
export const KEPT = words(
  `a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del dfn div dl dt em
  fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd legend li mark nav ol p pre q s samp
  section small span strong sub sup table tbody td tfoot th thead time tr u ul var wbr`,
);

/** What is left out with everything in it: what runs, loads, is text of another kind, or takes an answer. */
export const SILENT = words(
  `applet audio base button canvas datalist embed frame frameset head iframe keygen link math meter meta noembed
  noframes noscript object optgroup option output param picture plaintext portal progress script select slot source
  style svg template textarea title track video xmp`,
);

export const CONTROLS = words('input select textarea');
export const VOID = words('br col hr img wbr');
export const HEADINGS = words('h1 h2 h3 h4 h5 h6');

/** What ends a paragraph that is still open. */
export const BLOCKS = words(
  `address article aside blockquote center div dl fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr
  nav ol p pre section table ul`,
);

/** The elements that a browser takes only directly in certain others. */
export const PARENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  li: words('ol ul'),
  dt: words('dl'),
  dd: words('dl'),
  caption: words('table'),
  colgroup: words('table'),
  col: words('colgroup'),
  thead: words('table'),
  tbody: words('table'),
  tfoot: words('table'),
  tr: words('table thead tbody tfoot'),
  th: words('tr'),
  td: words('tr'),
};

/** The elements out of which a browser moves whatever else stands in them. */
export const FRAMEWORK = words('table thead tbody tfoot tr colgroup');
/** Where a browser stops looking for a paragraph or a link that is still open. */
export const CELLS = words('td th caption');
