import type { FormVersion } from '../definition/compiled-versions.ts';
import type { FormModel, Item, Question, RepeatingGroup } from '../model/form-model.ts';
import { isRecord } from '../model/normalise.ts';
import { questionsOf } from '../model/questions.ts';
import { asAmended } from '../rights/amendment.ts';
import { signingOf } from '../signing/signatures.ts';
import type { SubmittedFile } from '../submissions/sealed-submission.ts';
import type { Submission } from '../submissions/submission.ts';
import { attachmentOf } from './attachment.ts';
import { ownUrl } from './extensions.ts';
import { fhirText } from './fhir-text.ts';
import { LinkIds } from './link-ids.ts';
import { canonicalUrl } from './questionnaire.ts';
import type { Extension, QuestionnaireResponse, ResponseItem } from './resources.ts';
import { answerItem, freeAnswer } from './response-answers.ts';
import { signatureExtension } from './response-signature.ts';

/**
 * A submission as a QuestionnaireResponse of FHIR R4 to the version of the form that was filled in, with the answers that
 * are right now. The signatures are those of the answers as they came, which their hashes name.
 */
export function toQuestionnaireResponse(
  submission: Submission,
  { model }: Pick<FormVersion, 'model'>,
  publicUrl: string,
): QuestionnaireResponse {
  const { id, formId, formVersion, createdAt, signature: sent } = submission;
  const isAmended = submission.amendments.some(({ changes }) => changes !== null);
  const writing = new Answering(asAmended(submission), model, publicUrl);
  const item = writing.items();
  const extension: Extension[] = [
    ...signingOf(submission).signatures.map(({ role, ...evidence }, place) =>
      signatureExtension(evidence, place === 0 && sent !== null ? null : role),
    ),
    ...writing.looseFiles(),
  ];
  return {
    resourceType: 'QuestionnaireResponse',
    id,
    ...(extension.length === 0 ? {} : { extension }),
    questionnaire: `${canonicalUrl(publicUrl, formId)}|${formVersion}`,
    status: isAmended ? 'amended' : 'completed',
    authored: createdAt.toISOString(),
    ...(item.length === 0 ? {} : { item }),
  };
}

/** Goes through a form and takes down what was answered; what was not asked is left out. */
class Answering {
  readonly #submission: Submission;
  readonly #model: FormModel;
  readonly #publicUrl: string;
  readonly #links: LinkIds;
  readonly #unasked: Set<string>;
  readonly #used = new Set<SubmittedFile>();

  constructor(submission: Submission, model: FormModel, publicUrl: string) {
    this.#submission = submission;
    this.#model = model;
    this.#publicUrl = publicUrl;
    this.#links = new LinkIds(model);
    this.#unasked = new Set(submission.unasked);
  }

  items(): ResponseItem[] {
    const { answers } = this.#submission;
    if (this.#model.shape === 'unknown') return Object.entries(answers).map(([key, value]) => freeAnswer(key, value));
    return this.#model.pages.flatMap((page) => this.#holding(page, page.title, this.#inside(page.items, answers, '')));
  }

  /** Files that were sent for no question. They are known once all questions were gone through. */
  looseFiles(): Extension[] {
    return this.#submission.files
      .filter((file) => !this.#used.has(file))
      .map((file) => ({ url: ownUrl('attachment'), valueAttachment: this.#attachment(file) }));
  }

  #inside(items: readonly Item[], answers: Record<string, unknown>, prefix: string): ResponseItem[] {
    return items.flatMap((item) => {
      if (item.kind === 'heading') return [];
      if (item.kind === 'section') return this.#holding(item, item.title, this.#inside(item.items, answers, prefix));
      const path = `${prefix}${item.name}`;
      if (this.#unasked.has(path)) return [];
      const answer = Object.hasOwn(answers, item.name) ? answers[item.name] : undefined;
      return item.kind === 'group' ? this.#entries(item, answer, path) : this.#question(item, answer, path);
    });
  }

  #holding(item: Parameters<LinkIds['of']>[0], title: string | null, inside: ResponseItem[]): ResponseItem[] {
    const text = fhirText(title);
    if (inside.length === 0) return [];
    return [{ linkId: this.#links.of(item), ...(text === undefined ? {} : { text }), item: inside }];
  }

  #entries(group: RepeatingGroup, answer: unknown, path: string): ResponseItem[] {
    const entries = Array.isArray(answer) ? answer : [];
    return entries.flatMap((entry, i) =>
      isRecord(entry) ? this.#holding(group, group.label, this.#inside(group.items, entry, `${path}.${i}.`)) : [],
    );
  }

  #question(question: Question, answer: unknown, path: string): ResponseItem[] {
    if (question.kind !== 'file') return answerItem(question, answer, this.#links);
    const files = this.#filesFor(question, path);
    if (files.length === 0) return [];
    const text = fhirText(question.label);
    return [
      {
        linkId: this.#links.of(question),
        ...(text === undefined ? {} : { text }),
        answer: files.map((file) => ({ valueAttachment: this.#attachment(file) })),
      },
    ];
  }

  /** Files say for which question they are; where there is only one, they need not. */
  #filesFor(question: Question, path: string): SubmittedFile[] {
    const asking = questionsOf(this.#model).filter(({ kind }) => kind === 'file');
    const isOnly = asking.length === 1 && asking[0] === question;
    const files = this.#submission.files.filter(({ field }) => field === path || (field === null && isOnly));
    for (const file of files) this.#used.add(file);
    return files;
  }

  #attachment(file: SubmittedFile) {
    return attachmentOf(file, this.#submission, this.#publicUrl);
  }
}
