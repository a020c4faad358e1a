import * as fc from 'fast-check';

const SELECTORS =
  `a .b #carepost-form * body html :root input[value^=a] [data-path] a:not([x]) :has(>[y]) p:hover ::after
  :is(body) body~.x + ~ > & :host ::part(a) :nth-child(2n+1) .a\\:b .\\3c \\2f style svg|a *|* from 50% :unknown
  :lang(en)`.split(/\s+/);
const PROPERTIES = `color background position content z-index --x animation behavior -moz-binding src width all filter
  \\63olor COLOR`.split(/\s+/);
const VALUES = [
  ...`red fixed sticky absolute 1px 99999999 url(//evil.test/a) URL("//evil.test") u\\72l(x) image-set("x" 1x) attr(value)
  var(--x,url(x)) calc(1px+(2px*3)) expression(alert(1)) "a" "</style>" '\\3c/style>' linear-gradient(red,blue)
  element(#a) paint(x) src("x") cross-fade(url(x),red) { } ( ) [ ] ; ! !important \\ /* */ <!-- --> </style> "`.split(
    /\s+/,
  ),
  ' ',
  ',',
];
const AT = [
  '@import url(x);',
  '@import "x";',
  '@namespace svg url(x);',
  '@font-face{font-family:x;src:url(x)}',
  '@charset "x";',
  '@property --x{syntax:"*";inherits:false;initial-value:url(x)}',
  '@media screen{',
  '@media (width<600px){',
  '@media url(x){',
  '@supports (display:grid){',
  '@supports (background:url(x)){',
  '@keyframes k{',
  '@layer a{',
  '@container (width>1px){',
  '@page{',
  '@scope (a){',
  '@starting-style{',
];

const declaration = fc
  .tuple(fc.constantFrom(...PROPERTIES), fc.array(fc.constantFrom(...VALUES), { maxLength: 3 }))
  .map(([property, values]) => `${property}:${values.join(' ')}`);
const rule = fc
  .tuple(
    fc.array(fc.constantFrom(...SELECTORS), { minLength: 1, maxLength: 3 }),
    fc.constantFrom(',', ' ', ''),
    fc.array(declaration, { maxLength: 3 }),
  )
  .map(([selectors, joint, declarations]) => `${selectors.join(joint)}{${declarations.join(';')}}`);
const rest = fc.oneof(fc.constantFrom(...AT, ...VALUES, '}', '}}'), fc.string({ maxLength: 4 }));

/** What a customer might write as CSS, or an attacker. */
export const anyCss = fc
  .array(fc.oneof({ weight: 3, arbitrary: rule }, { weight: 1, arbitrary: rest }), { maxLength: 8, size: 'max' })
  .map((parts) => parts.join(''));
