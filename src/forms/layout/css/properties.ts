const words = (text: string) => new Set(text.split(/\s+/));

/** What a customer's style may set: the looks of things, in their place. */
export const PROPERTIES = words(
  `accent-color align-content align-items align-self animation animation-delay animation-direction animation-duration
  animation-fill-mode animation-iteration-count animation-name animation-play-state animation-timing-function appearance
  aspect-ratio background background-clip background-color background-image background-origin background-position
  background-repeat background-size block-size border border-block border-block-color border-block-end
  border-block-start border-block-style border-block-width border-bottom border-bottom-color border-bottom-left-radius
  border-bottom-right-radius border-bottom-style border-bottom-width border-collapse border-color border-inline
  border-inline-color border-inline-end border-inline-start border-inline-style border-inline-width border-left
  border-left-color border-left-style border-left-width border-radius border-right border-right-color border-right-style
  border-right-width border-spacing border-style border-top border-top-color border-top-left-radius
  border-top-right-radius border-top-style border-top-width border-width bottom box-shadow box-sizing break-after
  break-before break-inside caption-side caret-color clear clip-path color color-scheme column-count column-fill
  column-gap column-rule column-rule-color column-rule-style column-rule-width column-span column-width columns content
  counter-increment counter-reset cursor direction display empty-cells filter flex flex-basis flex-direction flex-flow
  flex-grow flex-shrink flex-wrap float font font-family font-feature-settings font-kerning font-size font-stretch
  font-style font-variant font-variant-caps font-variant-numeric font-weight gap grid grid-area grid-auto-columns
  grid-auto-flow grid-auto-rows grid-column grid-column-end grid-column-gap grid-column-start grid-gap grid-row
  grid-row-end grid-row-gap grid-row-start grid-template grid-template-areas grid-template-columns grid-template-rows
  height hyphens inline-size inset inset-block inset-inline isolation justify-content justify-items justify-self left
  letter-spacing line-break line-height list-style list-style-position list-style-type margin margin-block
  margin-block-end margin-block-start margin-bottom margin-inline margin-inline-end margin-inline-start margin-left
  margin-right margin-top max-block-size max-height max-inline-size max-width min-block-size min-height min-inline-size
  min-width mix-blend-mode object-fit object-position opacity order orphans outline outline-color outline-offset
  outline-style outline-width overflow overflow-wrap overflow-x overflow-y padding padding-block padding-block-end
  padding-block-start padding-bottom padding-inline padding-inline-end padding-inline-start padding-left padding-right
  padding-top page-break-after page-break-before page-break-inside place-content place-items place-self position quotes
  resize right rotate row-gap scale scroll-behavior tab-size table-layout text-align text-align-last text-decoration
  text-decoration-color text-decoration-line text-decoration-style text-decoration-thickness text-indent text-overflow
  text-shadow text-transform text-underline-offset text-wrap top transform transform-origin transition transition-delay
  transition-duration transition-property transition-timing-function translate unicode-bidi user-select vertical-align
  visibility white-space widows width word-break word-spacing word-wrap writing-mode z-index`,
);

/** The functions that only compute, paint or move: none of them loads anything or reads an attribute. */
export const FUNCTIONS = words(
  `abs blur brightness calc circle clamp color color-mix conic-gradient contrast counter counters cubic-bezier
  drop-shadow ellipse fit-content grayscale hsl hsla hue-rotate hwb inset invert lab lch light-dark linear
  linear-gradient matrix matrix3d max min minmax oklab oklch opacity perspective polygon radial-gradient repeat
  repeating-conic-gradient repeating-linear-gradient repeating-radial-gradient rgb rgba rotate rotate3d rotatex rotatey
  rotatez saturate scale scale3d scalex scaley scalez sepia skew skewx skewy steps translate translate3d translatex
  translatey translatez var`,
);
