import { folded, isPlain, type Plain, Settings } from '../../../../src/forms/model/compile/settings.ts';

/** Where the settings of an element may stand beside itself; the product looks there in this order. */
const NESTED = ['properties', 'validate', 'validation'];
const DEEPEST = 2;

/** A setting of an element: every spelling by which the product finds it, and the one in which it is written anew. */
export interface Setting {
  keys: readonly string[];
  as: string;
}

/** Everything that the builder changes on elements. */
export const SETTINGS = {
  label: { keys: ['label', 'text', 'title', 'question'], as: 'label' },
  consentLabel: { keys: ['label'], as: 'label' },
  consentText: { keys: ['consenttext', 'terms', 'content', 'text'], as: 'text' },
  headingText: { keys: ['text', 'label', 'title', 'content', 'html', 'value'], as: 'text' },
  title: { keys: ['title', 'label', 'text'], as: 'title' },
  name: { keys: ['fieldname', 'name'], as: 'name' },
  id: { keys: ['id', 'key'], as: 'id' },
  help: { keys: ['help', 'helptext', 'hint', 'description', 'instructions'], as: 'help' },
  required: { keys: ['required', 'isrequired', 'mandatory'], as: 'required' },
  prefill: { keys: ['prefill', 'allowprefill'], as: 'prefill' },
  deidentify: { keys: ['deidentify'], as: 'deidentify' },
  showWhen: { keys: ['showwhen', 'visibleif', 'showif', 'visiblewhen'], as: 'show_when' },
  olderRules: { keys: ['conditional', 'logic', 'condition'], as: 'condition' },
  requireWhen: { keys: ['requirewhen', 'requiredwhen', 'requireif', 'requiredif'], as: 'require_when' },
  minLength: { keys: ['minlength'], as: 'min_length' },
  maxLength: { keys: ['maxlength'], as: 'max_length' },
  pattern: { keys: ['pattern', 'regex'], as: 'pattern' },
  least: { keys: ['min', 'minimum', 'minvalue'], as: 'min' },
  most: { keys: ['max', 'maximum', 'maxvalue'], as: 'max' },
  whole: { keys: ['whole', 'integer'], as: 'whole' },
  earliest: { keys: ['min', 'earliest', 'mindate', 'minimum', 'formatminimum'], as: 'min' },
  latest: { keys: ['max', 'latest', 'maxdate', 'maximum', 'formatmaximum'], as: 'max' },
  fewest: { keys: ['min', 'minitems', 'minselected', 'least'], as: 'min' },
  greatest: { keys: ['max', 'maxitems', 'maxselected', 'most'], as: 'max' },
  other: { keys: ['other', 'allowother', 'hasother', 'showother'], as: 'other' },
  scaleFrom: { keys: ['min', 'minimum', 'least', 'from', 'ratemin'], as: 'min' },
  scaleTo: { keys: ['max', 'maximum', 'most', 'to', 'ratemax', 'stars', 'scale'], as: 'max' },
  fewestEntries: { keys: ['min', 'minitems', 'minrows', 'least'], as: 'min' },
  mostEntries: { keys: ['max', 'maxitems', 'maxrows', 'most'], as: 'max' },
  mostFiles: { keys: ['maxfiles', 'maxcount', 'most', 'max', 'maxitems'], as: 'max_files' },
  mostBytes: { keys: ['mostbytes', 'maxbytes', 'maxsize', 'maxfilesize'], as: 'max_size' },
  accept: { keys: ['accept', 'accepts', 'allowedtypes', 'filetypes', 'mimetypes'], as: 'accept' },
  formula: { keys: ['formula', 'expression', 'calculation', 'calculate', 'calculatevalue', 'value'], as: 'formula' },
} as const satisfies Record<string, Setting>;

/** The settings of an element as the product reads them. */
export function settingsOf(raw: unknown): Settings {
  return new Settings(isPlain(raw) ? raw : {});
}

/** Where the setting stands that the product takes: the first by its spellings whose value is good. */
export function locate(raw: unknown, keys: readonly string[], isGood = isThere): string[] | null {
  if (!isPlain(raw)) return null;
  const layers = [...layersOf(raw, [], DEEPEST)];
  for (const wanted of keys) {
    for (const [path, layer] of layers) {
      const key = Object.keys(layer).find((each) => folded(each) === wanted);
      if (key === undefined) continue;
      if (isGood(layer[key])) return [...path, key];
      break;
    }
  }
  return null;
}

/** A setting as it is written, be it empty; '' where there is none. */
export function textOf(raw: unknown, { keys }: Setting): string {
  const path = locate(raw, keys);
  const value = path === null ? '' : valueAt(raw, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The element with another value of a setting, which stays where it stood; undefined takes it away. */
export function withSetting(raw: unknown, { keys, as }: Setting, value: unknown): Plain {
  const element = isPlain(raw) ? raw : {};
  const path = locate(element, keys);
  if (value !== undefined) return setAt(element, path ?? [as], value);
  return path === null ? element : withSetting(removeAt(element, path), { keys, as }, undefined);
}

/** The same object with another value at a path. */
export function setAt(source: Plain, path: readonly string[], value: unknown): Plain {
  const [key = '', ...rest] = path;
  if (rest.length === 0) return { ...source, [key]: value };
  const inner = source[key];
  return { ...source, [key]: setAt(isPlain(inner) ? inner : {}, rest, value) };
}

/** What stands at a path. */
export function valueAt(source: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isPlain(value) ? value[key] : undefined), source);
}

function removeAt(source: Plain, path: readonly string[]): Plain {
  const [key = '', ...rest] = path;
  const inner = source[key];
  if (rest.length > 0 && isPlain(inner)) return { ...source, [key]: removeAt(inner, rest) };
  const { [key]: _gone, ...kept } = source;
  return kept;
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function* layersOf(source: Plain, path: string[], deeper: number): Generator<[string[], Plain]> {
  yield [path, source];
  if (deeper === 0) return;
  for (const key of NESTED) {
    const inner = Object.hasOwn(source, key) ? source[key] : undefined;
    if (isPlain(inner)) yield* layersOf(inner, [...path, key], deeper - 1);
  }
}
