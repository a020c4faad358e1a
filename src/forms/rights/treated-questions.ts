import { type Keyed, keyedQuestions } from '../export/keyed-questions.ts';
import { type Expression, namesIn } from '../model/expression/syntax.ts';
import type { Deidentify, FormModel } from '../model/form-model.ts';
import type { Answered } from '../model/questions.ts';
import { type Treatment, treatmentOf } from './treatment.ts';
import { wordsOf } from './words.ts';

/** A question with what becomes of its answers, and the same of those within a group. */
export interface Treated {
  key: string;
  question: Answered;
  treatment: Treatment;
  items: Treated[];
}

/** Kinds that say what the answers of other versions are. */
const TELLING = new Set<Answered['kind']>(['email', 'phone', 'address']);

/**
 * The questions of each version, the newest first. All versions of a question have what the newest of them says of its
 * identities; where that says nothing, they are judged by the words of all of them: so a mistake in a form can be set
 * right for what was submitted before.
 */
export function treatedQuestions(
  models: { version: number; model: FormModel }[],
): { version: number; questions: Treated[] }[] {
  const versions = keyedQuestions(models);
  const known = new Map<string, { setting: Deidentify | null; words: string }>();
  for (const { questions } of versions)
    for (const { key, question } of questions.flatMap((each) => [each, ...each.items])) {
      const { setting = question.deidentify, words = '' } = known.get(key) ?? {};
      const kind = TELLING.has(question.kind) ? question.kind : '';
      known.set(key, { setting, words: `${words} / ${wordsOf(question)} ${kind}` });
    }
  return versions.map(({ version, questions }) => ({ version, questions: treat(questions, known) }));
}

type Known = ReadonlyMap<string, { setting: Deidentify | null; words: string }>;

type FindTreatments = (name: string) => Treatment[];

function treat(questions: readonly Keyed[], known: Known, around: FindTreatments = () => ['drop']): Treated[] {
  const settled = questions.map(({ key, question, items }) => {
    const { setting = null, words = '' } = known.get(key) ?? {};
    return { key, question: { ...question, deidentify: setting }, items, words };
  });
  const byName = Map.groupBy(settled, ({ question }) => question.name);
  const found = new Map<object, Treatment>();
  const find: FindTreatments = (name) => byName.get(name)?.map(treatmentIn) ?? around(name);
  const treatmentIn = (each: (typeof settled)[number]): Treatment => {
    const before = found.get(each);
    if (before !== undefined) return before;
    // A formula that needs itself finds this.
    found.set(each, 'drop');
    const { question, words } = each;
    const ofFormula = () => (question.kind === 'calculated' ? treatmentOfFormula(question.formula, find) : 'drop');
    const treatment = treatmentOf(question, words, ofFormula);
    found.set(each, treatment);
    return treatment;
  };
  return settled.map((each) => ({
    key: each.key,
    question: each.question,
    treatment: treatmentIn(each),
    items: treat(each.items, known, find),
  }));
}

/** What comes of an age alone is an age; of anything else only what is kept itself may be told. */
function treatmentOfFormula(formula: Expression, find: FindTreatments): Treatment {
  const needed = [...namesIn(formula)].flatMap(find);
  if (needed.every((treatment) => treatment === 'keep')) return 'keep';
  const isAge = formula.kind === 'call' && formula.name === 'age';
  return isAge && !needed.includes('drop') ? 'age' : 'drop';
}
