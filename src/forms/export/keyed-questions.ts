import type { FormModel } from '../model/form-model.ts';
import { type Answered, questionsOf } from '../model/questions.ts';

/** A question, and those within it where it is a group, under what stays the same from version to version. */
export interface Keyed {
  key: string;
  question: Answered;
  items: Keyed[];
}

/** Who has which id: by the key of the id the name that had it last, and the keys of those told apart by their names. */
interface Held {
  names: Map<string, string>;
  apart: Set<string>;
}

/**
 * The questions of each version, the newest first. A question is known by its id; where questions of one version share
 * one, since a form only promises that their names differ, all but one are known by their names as well.
 */
export function keyedQuestions(
  models: { version: number; model: FormModel }[],
): { version: number; questions: Keyed[] }[] {
  const held: Held = { names: new Map(), apart: new Set() };
  const newestFirst = models.toSorted((one, other) => other.version - one.version);
  return newestFirst.map(({ version, model }) => ({ version, questions: keyEach(questionsOf(model), held) }));
}

function keyEach(questions: readonly Answered[], held: Held, around: string[] = []): Keyed[] {
  const alike = Map.groupBy(questions, ({ id }) => id);
  return questions.map((question) => {
    const byId = JSON.stringify([...around, question.id]);
    const byNameOf = ({ id, name }: Answered) => JSON.stringify([...around, id, { name }]);
    const others = (alike.get(question.id) ?? []).filter((each) => !held.apart.has(byNameOf(each)));
    const keeper = others.find(({ name }) => name === held.names.get(byId)) ?? others[0];
    const isApart = keeper?.name !== question.name;
    const key = isApart ? byNameOf(question) : byId;
    if (isApart) held.apart.add(key);
    else held.names.set(byId, question.name);
    return { key, question, items: keyEach(itemsOf(question), held, [key]) };
  });
}

function itemsOf(question: Answered): Answered[] {
  return question.kind === 'group' ? question.items.filter((item) => item.kind !== 'heading') : [];
}
