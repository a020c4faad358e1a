import { template as appointment } from '../../../words/builder/template-appointment.ts';
import { template as consent } from '../../../words/builder/template-consent.ts';
import { template as feedback } from '../../../words/builder/template-feedback.ts';
import { template as intake } from '../../../words/builder/template-intake.ts';

/** A form to begin with. */
export interface Template {
  name: string;
  about: string;
  title: string;
  description: string;
  signable: boolean;
  signatureLabel: string;
  json: { readonly pages: readonly object[] };
}

export const TEMPLATES: readonly Template[] = [intake, consent, appointment, feedback];

/** A form with nothing on its one page. */
export const BLANK = { pages: [{ fields: [] }] };
