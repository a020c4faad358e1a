import { type Asked, type Choice, NO_LIMIT, type Question, type QuestionKind } from '../form-model.ts';
import { asTexts, readChoices } from './choices.ts';
import { readExpression } from './conditions.ts';
import { CHOICE_KEYS } from './element-kind.ts';
import { readCounts, readDateBound, readMultipleOf, readNumberRange, readPattern, readRange } from './limits.ts';
import { MOST_CELLS, type Reading } from './notes.ts';
import { folded, isPlain, type Settings, textIn } from './settings.ts';

/** Makes the question of an element; null where nothing could answer it. */
export function readQuestion(
  reading: Reading,
  path: string,
  settings: Settings,
  kind: QuestionKind,
  asked: Asked,
): Question | null {
  switch (kind) {
    case 'text':
    case 'long_text':
      return {
        ...asked,
        kind,
        ...readLengths(reading, path, settings),
        pattern: readPattern(reading, path, settings),
        format: settings.get('format') === 'date-time' ? 'date-time' : null,
      };
    case 'number': {
      const whole =
        /^int/i.test(settings.text('type') ?? '') ||
        settings.flag('whole', 'integer') ||
        settings.number('multipleof') === 1;
      const multipleOf = readMultipleOf(reading, path, settings);
      return { ...asked, kind, ...readNumberRange(reading, path, settings, whole), whole, multipleOf };
    }
    case 'date':
      return { ...asked, kind, ...readDates(reading, path, settings) };
    case 'select':
    case 'radio':
      return { ...asked, kind, ...readOptions(reading, path, settings) };
    case 'checkboxes': {
      const options = readOptions(reading, path, settings);
      const counts = readCounts(
        reading,
        path,
        settings.number('min', 'minitems', 'minselected', 'least'),
        settings.number('max', 'maxitems', 'maxselected', 'most'),
      );
      const unmeetable = !options.other && counts.least > options.choices.length;
      if (unmeetable) reading.note(path, 'there are fewer choices than have to be chosen: the least is ignored');
      const unique = options.choices.length > 0 || settings.flag('uniqueitems');
      return { ...asked, kind, ...options, ...counts, least: unmeetable ? 0 : counts.least, unique };
    }
    case 'rating':
      return { ...asked, kind, ...readScale(reading, path, settings) };
    case 'matrix': {
      const rows = asTexts(readChoices(reading, `${path}.rows`, settings.list('rows', 'questions', 'statements')));
      const listed = settings.list('columns', 'cols', ...CHOICE_KEYS);
      const columns = asTexts(readChoices(reading, `${path}.columns`, listed));
      if (!reading.takeCells(rows.length * Math.max(1, columns.length))) {
        reading.note(path, `the tables of a form may have at most ${MOST_CELLS} cells: this one is ignored`);
        return null;
      }
      return { ...(rows.length === 0 ? notDemanded(reading, path, asked) : asked), kind, rows, columns };
    }
    case 'file':
      return { ...asked, kind, ...readFileRules(reading, path, settings) };
    case 'consent':
      return { ...asked, kind, text: settings.text('consenttext', 'terms', 'content', 'text') ?? asked.label };
    case 'calculated': {
      const source = settings.get('formula', 'expression', 'calculation', 'calculate', 'calculatevalue', 'value');
      const formula = readExpression(reading, `${path}.formula`, source);
      if (formula === null) reading.note(path, 'a calculated question without a formula is ignored');
      return formula === null ? null : { ...asked, kind, formula };
    }
    case 'yes_no': {
      const only = settings.get('const');
      return { ...asked, kind, only: typeof only === 'boolean' ? only : null };
    }
    case 'email':
    case 'phone':
    case 'time':
    case 'address':
    case 'signature':
    case 'hidden':
    case 'unknown':
      return { ...asked, kind };
    default:
      return kind satisfies never;
  }
}

/** A page has no way to answer a table without rows, and must not ask for what nobody can give. */
function notDemanded(reading: Reading, path: string, asked: Asked): Asked {
  if (asked.required || asked.requireWhen !== null) reading.note(path, 'a table without rows is never required');
  return { ...asked, required: false, requireWhen: null };
}

function readLengths(reading: Reading, path: string, settings: Settings): { leastLength: number; mostLength: number } {
  const { least, most } = readCounts(reading, path, settings.number('minlength'), settings.number('maxlength'));
  return { leastLength: least, mostLength: most };
}

function readDates(
  reading: Reading,
  path: string,
  settings: Settings,
): { earliest: string | null; latest: string | null } {
  const earliest = readDateBound(
    reading,
    path,
    settings.text('min', 'earliest', 'mindate', 'minimum', 'formatminimum'),
  );
  const latest = readDateBound(reading, path, settings.text('max', 'latest', 'maxdate', 'maximum', 'formatmaximum'));
  if (earliest === null || latest === null || earliest <= latest || latest === 'today') return { earliest, latest };
  if (earliest === 'today') return { earliest, latest };
  reading.note(path, 'the earliest date is after the latest: both are ignored');
  return { earliest: null, latest: null };
}

function readOptions(reading: Reading, path: string, settings: Settings): { choices: Choice[]; other: boolean } {
  const choices = readChoices(reading, `${path}.options`, settings.list(...CHOICE_KEYS) ?? nestedValues(settings));
  if (choices.length === 0) reading.note(path, 'there are no choices: any text is taken');
  const other = choices.length === 0 || settings.flag('other', 'allowother', 'hasother', 'showother');
  // Beside words of one's own, which may read like any of them, all are texts.
  return { choices: other ? asTexts(choices) : choices, other };
}

/** `data: {values: [...]}` is where one builder keeps them. */
function nestedValues(settings: Settings): unknown[] | null {
  const data = settings.get('data');
  return isPlain(data) && Array.isArray(data['values']) ? data['values'] : null;
}

function readScale(reading: Reading, path: string, settings: Settings): { least: number; most: number } {
  const isNps = ['nps', 'netpromoterscore'].includes(folded(settings.text('type') ?? ''));
  const { least, most } = readRange(
    reading,
    path,
    settings.number('min', 'minimum', 'least', 'from', 'ratemin') ?? (isNps ? 0 : 1),
    settings.number('max', 'maximum', 'most', 'to', 'ratemax', 'stars', 'scale') ?? (isNps ? 10 : 5),
  );
  if (Number.isSafeInteger(least) && Number.isSafeInteger(most))
    return { least: least as number, most: most as number };
  if (least !== null) reading.note(path, 'a rating has whole numbers: 1 to 5 is taken');
  return { least: 1, most: 5 };
}

function readFileRules(
  reading: Reading,
  path: string,
  settings: Settings,
): { most: number; mostBytes: number | null; accept: string[] } {
  const most =
    settings.get('multiple') === false ? 1 : settings.number('maxfiles', 'maxcount', 'most', 'max', 'maxitems');
  const size = readCounts(reading, path, null, settings.number('mostbytes', 'maxbytes', 'maxsize', 'maxfilesize'));
  const accept = settings.get('accept', 'accepts', 'allowedtypes', 'filetypes', 'mimetypes');
  const kinds = typeof accept === 'string' ? accept.split(',') : Array.isArray(accept) ? accept : [];
  return {
    most: readCounts(reading, path, null, most).most,
    mostBytes: size.most === NO_LIMIT ? null : size.most,
    accept: kinds.map((kind) => (textIn(kind) ?? '').trim().toLowerCase()).filter((kind) => kind !== ''),
  };
}
