import { isPlain, type Plain } from '../../../../src/forms/model/compile/settings.ts';
import { parseExpression } from '../../../../src/forms/model/expression/parse.ts';
import { renameIn } from '../../../../src/forms/model/expression/syntax.ts';
import { writeExpression } from '../../../../src/forms/model/expression/write.ts';
import { slugsOf } from '../../../../src/forms/model/slug.ts';
import type { Draft, DraftPage, Element } from './draft.ts';
import { isAsked, kindOfElement } from './kinds.ts';
import { locate, SETTINGS, type Setting, settingsOf, valueAt, withSetting } from './settings.ts';
import { allElements, changeEach, changeElement, findElement } from './tree.ts';

const LONGEST_NAME = 60;
const EXPRESSIONS: readonly Setting[] = [SETTINGS.showWhen, SETTINGS.requireWhen, SETTINGS.formula];

/** The name under which the answers of an element are kept; null where it has none. */
export function nameOf(element: Element): string | null {
  if (!isAsked(element)) return null;
  return settingsOf(element.raw).text('fieldname', 'name', 'id', 'key', 'label');
}

/** What an element is called on the page. */
export function labelOf(element: Element): string {
  const settings = settingsOf(element.raw);
  const kind = kindOfElement(element);
  if (kind === 'heading') return settings.text(...SETTINGS.headingText.keys) ?? '';
  if (kind === 'section') return settings.text(...SETTINGS.title.keys) ?? '';
  return settings.text(...SETTINGS.label.keys) ?? nameOf(element) ?? '';
}

/** The name that the product gives to something from the words on it, and that nothing else in the form has. */
export function nameFrom(label: string, taken: ReadonlySet<string>): string {
  const plain = (slugsOf(label.normalize('NFKD').replaceAll(/\p{M}/gu, ''))[0] ?? 'question').slice(0, LONGEST_NAME);
  const name = /^\p{N}/u.test(plain) ? `q_${plain}` : plain;
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}

/** The names that are used beside an element; inside a group only those within count, and outside those are no matter. */
export function namesBeside(draft: Draft, key: string | null): Set<string> {
  const group = groupAround(draft, key);
  const names = allElements(draft)
    .filter(({ element, around }) => element.key !== key && (groupIn(around)?.key ?? null) === (group?.key ?? null))
    .map(({ element }) => nameOf(element));
  return new Set(names.filter((name) => name !== null));
}

/** The repeating group that an element stands in. */
export function groupAround(draft: Draft, key: string | null): Element | null {
  return groupIn(findElement(draft, key)?.around ?? []) ?? null;
}

function groupIn(around: readonly Element[]): Element | undefined {
  return around.find((each) => kindOfElement(each) === 'group');
}

/** The draft with new words on a question; its name follows as long as nobody has answered under it. */
export function relabel(draft: Draft, key: string, label: string): Draft {
  const element = findElement(draft, key)?.element;
  if (element === undefined) return draft;
  const taken = namesBeside(draft, key);
  const name = nameOf(element);
  const follows = element.fresh === true && name !== null && name === nameFrom(labelOf(element), taken);
  const setting = kindOfElement(element) === 'consent' ? SETTINGS.consentLabel : SETTINGS.label;
  const changed = changeElement(draft, key, (each) => ({ ...each, raw: withSetting(each.raw, setting, label) }));
  if (follows) return rename(changed, key, nameFrom(label, taken));
  // Without a name of its own, a question is known by what was its label.
  return name !== null && nameOf(findElement(changed, key)?.element as Element) !== name
    ? changeElement(changed, key, (each) => ({ ...each, raw: withSetting(each.raw, SETTINGS.name, name) }))
    : changed;
}

/**
 * The draft with another name for a question. Whatever speaks of it follows; what is not new keeps its old name as its
 * id, by which answers and exports know it.
 */
export function rename(draft: Draft, key: string, name: string): Draft {
  const element = findElement(draft, key)?.element;
  const before = element === undefined ? null : nameOf(element);
  if (element === undefined || before === null || before === name) return draft;
  const keepsId = element.fresh !== true && locate(element.raw, SETTINGS.id.keys) === null;
  const renamed = changeElement(draft, key, (each) => {
    const raw = keepsId ? withSetting(each.raw, SETTINGS.id, before) : each.raw;
    return { ...each, raw: withSetting(raw, SETTINGS.name, name) };
  });
  const linked = changeEach(renamed, (each) => ({ ...each, raw: speakingOf(each.raw, before, name) }));
  const pages = linked.pages.map((page): DraftPage => ({ ...page, raw: speakingOf(page.raw, before, name) as Plain }));
  const json = element.fresh === true ? withTranslationsAt(draft.json, before, name) : draft.json;
  return { ...linked, pages, json: withSignersAskedBy(json, before, name) };
}

/** An element whose expressions speak of a question by its new name. */
function speakingOf(raw: unknown, before: string, name: string): unknown {
  let changed = raw;
  for (const setting of EXPRESSIONS) {
    const path = locate(changed, setting.keys);
    const source = path === null ? undefined : valueAt(changed, path);
    if (typeof source !== 'string' || !source.includes(before)) continue;
    try {
      const parsed = parseExpression(source);
      const renamed = writeExpression(renameIn(parsed, (each) => (each === before ? name : each)));
      if (renamed !== writeExpression(parsed)) changed = withSetting(changed, setting, renamed);
    } catch {
      // What cannot be read is left for whoever wrote it.
    }
  }
  return changed;
}

function withTranslationsAt(json: Plain, before: string, name: string): Plain {
  const { translations } = json;
  if (!isPlain(translations)) return json;
  const moved = Object.entries(translations).map(([language, texts]) => {
    const items = isPlain(texts) ? texts['items'] : undefined;
    if (!isPlain(texts) || !isPlain(items) || !Object.hasOwn(items, before)) return [language, texts];
    const { [before]: own, ...others } = items;
    return [language, { ...texts, items: { ...others, [name]: own } }];
  });
  return { ...json, translations: Object.fromEntries(moved) };
}

/** Signers are reached by the answer to a question, which they name. */
function withSignersAskedBy(json: Plain, before: string, name: string): Plain {
  const { signers } = json;
  if (!Array.isArray(signers)) return json;
  const renamed = (signers as unknown[]).map((signer) =>
    isPlain(signer) && signer['email_question'] === before ? { ...signer, email_question: name } : signer,
  );
  return { ...json, signers: renamed };
}
