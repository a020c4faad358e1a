import { isPlain, type Plain } from '../model/compile/settings.ts';
import { MOST_SIGNERS } from '../signing/signers-of.ts';
import { extensionsOf, ownUrl } from './extensions.ts';

/** Who else is to sign, as a form's own JSON says it. */
export function readSigners(root: Plain): Plain[] {
  return extensionsOf(root, ownUrl('signer')).slice(0, MOST_SIGNERS).map(readSigner);
}

function readSigner({ extension }: Plain): Plain {
  const parts = Array.isArray(extension) ? extension.filter(isPlain) : [];
  const partOf = (url: string) => parts.find((part) => part['url'] === url);
  const given = {
    role: partOf('role')?.['valueString'],
    label: partOf('label')?.['valueString'],
    email_question: partOf('email-question')?.['valueString'],
  };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, text]) => typeof text === 'string')),
    ...(partOf('required')?.['valueBoolean'] === false ? { required: false } : {}),
  };
}
