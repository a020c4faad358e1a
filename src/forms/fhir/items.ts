import type { Expression } from '../model/expression/syntax.ts';
import { writeExpression } from '../model/expression/write.ts';
import type { FormModel, Item, Page, Question, RepeatingGroup } from '../model/form-model.ts';
import { questionsOf } from '../model/questions.ts';
import { enableWhen, type FindAsked } from './enable-when.ts';
import { itemControl, ownText, ownUrl } from './extensions.ts';
import { fhirText } from './fhir-text.ts';
import type { LinkIds } from './link-ids.ts';
import { itemOfKind, occurrences } from './question-item.ts';
import type { Extension, QuestionnaireItem } from './resources.ts';

/** The items of a form, or of one of its translations, under the linkIds of the form. */
export function itemsOf(model: FormModel, links: LinkIds): QuestionnaireItem[] {
  const writing = new Writing(model, links);
  return model.pages.map((page) => writing.page(page));
}

class Writing {
  readonly #links: LinkIds;
  readonly #find: FindAsked;

  constructor(model: FormModel, links: LinkIds) {
    this.#links = links;
    this.#find = this.#finding(questionsOf(model));
  }

  page(page: Page): QuestionnaireItem {
    const control = page.items.length === 0 ? [] : [itemControl('page')];
    return this.#holding(page, 'page', page.title, control, page.items);
  }

  #item(item: Item, find: FindAsked): QuestionnaireItem {
    if (item.kind === 'heading') return this.#holding(item, 'heading', item.text, [], []);
    if (item.kind === 'section') return this.#holding(item, 'section', item.title, [], item.items);
    return item.kind === 'group'
      ? this.#group(item, find)
      : this.#asked(item, find, itemOfKind(item, this.#links, find));
  }

  #group(group: RepeatingGroup, find: FindAsked): QuestionnaireItem {
    const inner = this.#finding(group.items.filter((each) => each.kind !== 'heading'));
    const inside: FindAsked = (name) => inner(name) ?? find(name);
    const { type, item } = this.#holding(group, 'group', null, [], group.items, inside);
    return this.#asked(group, find, {
      type,
      ...(type === 'group' ? { repeats: true } : {}),
      extension: occurrences(group),
      ...(item === undefined ? {} : { item }),
    });
  }

  /** What only holds or shows something. FHIR has no empty groups: one without items is only shown. */
  #holding(
    item: Item | Page,
    kind: string,
    title: string | null,
    extension: Extension[],
    items: readonly Item[],
    find = this.#find,
  ): QuestionnaireItem {
    const linkId = this.#links.of(item);
    const text = fhirText(title);
    return {
      linkId,
      extension: [...this.#names(item, kind), ...extension, ...conditionOf('show-when', item.showWhen)],
      ...(text === undefined ? {} : { text }),
      type: items.length === 0 ? 'display' : 'group',
      ...enableWhen(item.showWhen, this.#find),
      ...(items.length === 0 ? {} : { item: items.map((each) => this.#item(each, find)) }),
    };
  }

  #asked(
    asked: Question | RepeatingGroup,
    find: FindAsked,
    { item: items = [], extension = [], type, ...own }: Omit<QuestionnaireItem, 'linkId'>,
  ): QuestionnaireItem {
    const text = fhirText(asked.label);
    const below = [...this.#help(asked), ...items];
    const isEmpty = type === 'display' && below.length === 0;
    return {
      linkId: this.#links.of(asked),
      extension: [...this.#names(asked, asked.kind), ...extension, ...rulesOf(asked)],
      ...(text === undefined ? {} : { text }),
      type: type === 'display' && !isEmpty ? 'group' : type,
      ...enableWhen(asked.showWhen, find),
      ...(asked.required && !isEmpty ? { required: true } : {}),
      ...own,
      ...(below.length === 0 ? {} : { item: below }),
    };
  }

  #names(item: Item | Page, kind: string): Extension[] {
    return [
      { url: ownUrl('kind'), valueCode: kind },
      ...(this.#links.of(item) === item.id ? [] : ownText('id', item.id)),
      ...('name' in item && item.name !== item.id ? ownText('name', item.name) : []),
    ];
  }

  #help(asked: Question | RepeatingGroup): QuestionnaireItem[] {
    const linkId = this.#links.help(asked);
    const text = fhirText(asked.help);
    if (linkId === null) return [];
    const shown = { extension: [itemControl('help')], ...(text === undefined ? {} : { text }) };
    return [{ linkId, ...shown, type: 'display' }];
  }

  #finding(asked: readonly (Question | RepeatingGroup)[]): FindAsked {
    const byName = new Map(asked.map((question) => [question.name, { question, linkId: this.#links.of(question) }]));
    return (name) => byName.get(name);
  }
}

function rulesOf({ showWhen, requireWhen, prefill, deidentify }: Question | RepeatingGroup): Extension[] {
  return [
    ...conditionOf('show-when', showWhen),
    ...conditionOf('require-when', requireWhen),
    ...(prefill ? [{ url: ownUrl('prefill'), valueBoolean: true }] : []),
    ...(deidentify === null ? [] : [{ url: ownUrl('deidentify'), valueCode: deidentify }]),
  ];
}

function conditionOf(name: 'show-when' | 'require-when', condition: Expression | null): Extension[] {
  return condition === null ? [] : ownText(name, writeExpression(condition));
}
