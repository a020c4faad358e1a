import type { FastifyReply } from 'fastify';
import type { PageDeps, Visit } from '../../page/visit.ts';
import { askForCode, enterDraft, goOn, mailWayBack, openByCode } from './visits.ts';

interface DraftRoute {
  method: string | string[];
  url: string;
  answer(deps: PageDeps, visit: Visit): Promise<FastifyReply>;
}

/** The pages by which somebody saves a form and comes back to it; they stand among those of the form. */
export const DRAFT_ROUTES: DraftRoute[] = [
  { method: 'POST', url: '/f/:address/drafts/mail', answer: mailWayBack },
  { method: 'POST', url: '/f/:address/drafts/open', answer: goOn },
  { method: ['GET', 'HEAD'], url: '/f/:address/resume/:draft', answer: enterDraft },
  { method: 'POST', url: '/f/:address/resume/:draft/code', answer: askForCode },
  { method: 'POST', url: '/f/:address/resume/:draft/open', answer: openByCode },
];
