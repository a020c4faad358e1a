import { type Asking, type Plan, planOfEntry, planOfForm } from './check/plan.ts';
import type { Expression } from './expression/syntax.ts';
import { type FormModel, NO_LIMIT, type Question, type RepeatingGroup } from './form-model.ts';
import { answerSchema, limits, requiredSchema, type Schema } from './schema/answer-schema.ts';
import type { Holding } from './schema/compared-schema.ts';
import { all, any, conditionSchema, type Look } from './schema/condition-schema.ts';

/** How many characters the conditions of a schema take: they stand there again for every question that they are around. */
const MOST_IN_CONDITIONS = 2_000_000;

/**
 * A JSON Schema 2020-12 of normalised answers without those that were not asked. It takes whatever `checkAnswers`
 * takes; where `exact`, it takes nothing else. Patterns of the form are written as RE2 reads them.
 */
export function toJsonSchema(model: FormModel): { schema: object; exact: boolean } {
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema' };
  if (model.shape === 'unknown') return { schema: { ...head, type: 'object' }, exact: true };
  const writer = new Writer();
  return { schema: { ...head, ...writer.objectSchema(planOfForm(model), () => undefined) }, exact: writer.exact };
}

class Writer {
  exact = true;
  #room = MOST_IN_CONDITIONS;

  objectSchema(plan: Plan, around: Look): Schema {
    const look: Look = (name) => plan.byName.get(name)?.question ?? around(name);
    const properties = plan.askings.map(({ question }) => [question.name, this.#answerSchema(question, look)]);
    const rules = plan.askings.map((asking) => this.#ruleOf(asking, look)).filter((rule) => rule !== null);
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(rules.length === 0 ? {} : { allOf: rules }),
    };
  }

  #answerSchema(question: Question | RepeatingGroup, look: Look): Schema | true {
    if (question.kind !== 'group') {
      if (!isAllInSchema(question)) this.exact = false;
      return answerSchema(question);
    }
    // An entry sees the answers around it, which its schema cannot.
    const around: Look = (name) => (look(name) === undefined ? undefined : null);
    const items = this.objectSchema(planOfEntry(question), around);
    return { type: 'array', items, ...limits('minItems', question.least, 'maxItems', question.most) };
  }

  /** What makes a question required. */
  #ruleOf(asking: Asking, look: Look): Schema | null {
    const { question, conditions, blind } = asking;
    if (question.kind === 'calculated' || question.kind === 'file') return null;
    const seen: Look = (name) => (blind.has(name) ? undefined : look(name));
    const { required, requireWhen } = question;
    const demanded = any([required, requireWhen === null ? false : this.#holding(requireWhen, look)]);
    if (demanded === false) return null;
    const when = all([demanded, ...conditions.map((condition) => this.#holding(condition, seen))]);
    if (when === false) return null;
    if (when === null) {
      this.exact = false;
      return null;
    }
    const more = question.kind === 'group' ? true : requiredSchema(question);
    const { name } = question;
    const then = { required: [name], ...(more === true ? {} : { properties: Object.fromEntries([[name, more]]) }) };
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    return when === true ? then : { if: when, then };
  }

  /** The answers for which a condition holds, while there is room to write it. */
  #holding(condition: Expression, look: Look): Holding {
    const holding = conditionSchema(condition, (name) => this.#taken(look(name)));
    this.#room -= JSON.stringify(holding).length;
    return holding;
  }

  /** Whatever is said of a question may list all its choices. */
  #taken(question: ReturnType<Look>): ReturnType<Look> {
    if (this.#room <= 0) return null;
    if (question && 'choices' in question) this.#room -= JSON.stringify(question.choices).length;
    return question;
  }
}

/** Whether the answer alone tells if it is good; files and the date of today stand beside it. */
function isAllInSchema(question: Question): boolean {
  if (question.kind === 'date') return question.earliest !== 'today' && question.latest !== 'today';
  if (question.kind !== 'file') return true;
  const { required, requireWhen, most, mostBytes, accept } = question;
  return !required && requireWhen === null && most === NO_LIMIT && mostBytes === null && accept.length === 0;
}
