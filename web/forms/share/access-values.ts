import type { Body, Reply } from '../../api/client.ts';
import { fromLocalInput, toLocalInput } from '../../ui/local-time.ts';

type Page = Reply<'readFormPage'>;

/** The settings of a form's page as the fields of a browser hold them. */
export interface AccessValues {
  closes: string;
  most: string;
  password: string;
  removePassword: boolean;
  singleUse: boolean;
  resumable: boolean;
  frames: string;
  proof: Watching;
  traps: Watching;
  sealed: string;
}

export const WATCHING = ['off', 'monitor', 'enforce'] as const;

export type Watching = (typeof WATCHING)[number];

/** What the fields show at first. */
export function valuesOf(page: Page): AccessValues {
  return {
    closes: page.closes_at === null ? '' : toLocalInput(new Date(page.closes_at)),
    most: page.most_submissions === null ? '' : String(page.most_submissions),
    password: '',
    removePassword: false,
    singleUse: page.single_use,
    resumable: page.resumable,
    frames: page.frame_origins.join('\n'),
    proof: watchingOf(page.proof_of_work),
    traps: watchingOf(page.traps),
    sealed: page.sealed_to.join('\n'),
  };
}

/** The change that the fields stand for; an empty text clears. */
export function changeOf(values: AccessValues): Body<'updateFormPage'> {
  const password = values.removePassword ? '' : values.password || null;
  return {
    closes_at: fromLocalInput(values.closes) ?? '',
    most_submissions: values.most === '' ? '' : Number(values.most),
    password,
    single_use: values.singleUse,
    resumable: values.resumable,
    frame_origins: linesOf(values.frames),
    proof_of_work: values.proof,
    traps: values.traps,
    sealed_to: linesOf(values.sealed),
  };
}

function linesOf(text: string): string[] {
  return text.split(/\s+/).filter((line) => line !== '');
}

function watchingOf(word: string): Watching {
  return WATCHING.find((each) => each === word) ?? 'off';
}
