import type { FormVersion } from '../definition/compiled-versions.ts';
import type { Heading } from '../definition/heading.ts';
import { type AmendmentText, amendmentText } from '../export/amendment-text.ts';
import { whatWasAskedThen } from '../model/asked.ts';
import { questionsOf } from '../model/questions.ts';
import { todayAt } from '../model/today.ts';
import { languagesOf } from '../model/translate.ts';
import type { PageView, ShownFile } from '../page/view.ts';
import { isSignedAsWhole } from '../page/view-of.ts';
import { asShown } from '../submissions/shown-form.ts';
import type { Submission } from '../submissions/submission.ts';

/** A submission as its form looked when it was sent: that version, its layout and its questions, with the answers. */
export function viewOfSubmission(submission: Submission, version: FormVersion, heading: Heading): PageView {
  const { answers, createdAt, formId } = submission;
  const { title, description, language, model } = asShown(submission, version, heading);
  const label = submission.signature?.consentText ?? version.signature_confirmation_label;
  const today = todayAt(createdAt);
  return {
    formId,
    action: '',
    title,
    description,
    version: version.version,
    model,
    layout: { html: version.form_html, css: version.form_css },
    signing: signingOf(submission, version, label),
    language,
    languages: languagesOf(version.form_json),
    step: 0,
    steps: model.pages.length,
    answers,
    isAsked: whatWasAskedThen(model, submission, today),
    problems: {},
    notes: [],
    files: filesOf(submission, version),
    controls: {},
    resumable: false,
    proofOfWork: false,
    sealedTo: [],
    today,
  };
}

/** The same for staff: what was amended since stands above the answers. Whoever signs does not get to see it. */
export function viewForStaff(submission: Submission, version: FormVersion, heading: Heading): PageView {
  const view = viewOfSubmission(submission, version, heading);
  return { ...view, notes: submission.amendments.map((each) => inOneLine(amendmentText(view.model, each))) };
}

function inOneLine({ title, answers, notes }: AmendmentText): string {
  return `${title}. ${[...answers, ...notes].join('. ')}`;
}

function signingOf({ signature }: Submission, version: FormVersion, label: string | null): PageView['signing'] {
  if (signature === null && !isSignedAsWhole(version)) return null;
  if (signature === null) return { label: label ?? '', given: null };
  const { name, method, image } = signature;
  return {
    label: label ?? '',
    given: { method, name: name ?? '', confirmed: true, image: image === null ? null : pictureUrl(image) },
  };
}

/** A picture in base64 is a PNG or a JPEG, which begin differently. */
export function pictureUrl(image: string): string {
  return `data:image/${image.startsWith('/9j/') ? 'jpeg' : 'png'};base64,${image}`;
}

/** The files by the path of their question; where there is only one question for files, they need not name it. */
function filesOf({ files }: Submission, { model }: FormVersion): Record<string, ShownFile[]> {
  const asking = questionsOf(model).filter(({ kind }) => kind === 'file');
  const only = asking.length === 1 ? asking[0]?.name : undefined;
  const shown = files.flatMap(({ id, name, size, field }) => {
    const path = field ?? only;
    return path === undefined ? [] : [{ path, file: { token: id, name, size } }];
  });
  return Object.fromEntries(
    [...Map.groupBy(shown, ({ path }) => path)].map(([path, list]) => [path, list.map(({ file }) => file)]),
  );
}
