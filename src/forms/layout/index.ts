export { safeCss } from './safe-css.ts';
export { type LayoutPiece, safeLayout } from './safe-layout.ts';
export { styleRules } from './style-class.ts';
