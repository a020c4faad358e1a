import type { ReactNode } from 'react';
import { words } from '../../../words/builder/properties.ts';
import type { ElementKind } from '../draft/kinds.ts';
import { SETTINGS } from '../draft/settings.ts';
import { AcceptSetting } from './accept-setting.tsx';
import { DateSetting, FlagSetting, NumberSetting, TextSetting } from './inputs.tsx';
import type { Raw } from './use-raw.ts';

const BYTES_PER_MB = 1_000_000;

/** What an answer to a kind of question has to keep to; nothing for kinds that have no limits. */
export function Limits({ of, kind }: { of: Raw; kind: ElementKind }) {
  switch (kind) {
    case 'text':
    case 'long_text':
      return (
        <>
          <Pair>
            <NumberSetting of={of} setting={SETTINGS.minLength} label={words.minLength} />
            <NumberSetting of={of} setting={SETTINGS.maxLength} label={words.maxLength} />
          </Pair>
          <TextSetting of={of} setting={SETTINGS.pattern} label={words.pattern} hint={words.patternHint} />
        </>
      );
    case 'number':
      return (
        <>
          <Pair>
            <NumberSetting of={of} setting={SETTINGS.least} label={words.least} />
            <NumberSetting of={of} setting={SETTINGS.most} label={words.most} />
          </Pair>
          <FlagSetting of={of} setting={SETTINGS.whole} label={words.whole} />
        </>
      );
    case 'date':
      return (
        <>
          <DateSetting of={of} setting={SETTINGS.earliest} label={words.earliest} hint={words.dateHint} />
          <DateSetting of={of} setting={SETTINGS.latest} label={words.latest} />
        </>
      );
    case 'checkboxes':
      return (
        <Pair>
          <NumberSetting of={of} setting={SETTINGS.fewest} label={words.fewest} />
          <NumberSetting of={of} setting={SETTINGS.greatest} label={words.greatest} />
        </Pair>
      );
    case 'rating':
      return (
        <Pair>
          <NumberSetting of={of} setting={SETTINGS.scaleFrom} label={words.scaleFrom} />
          <NumberSetting of={of} setting={SETTINGS.scaleTo} label={words.scaleTo} />
        </Pair>
      );
    case 'group':
      return (
        <Pair>
          <NumberSetting of={of} setting={SETTINGS.fewestEntries} label={words.fewestEntries} />
          <NumberSetting of={of} setting={SETTINGS.mostEntries} label={words.mostEntries} />
        </Pair>
      );
    case 'file':
      return (
        <>
          <Pair>
            <NumberSetting of={of} setting={SETTINGS.mostFiles} label={words.mostFiles} />
            <NumberSetting of={of} setting={SETTINGS.mostBytes} label={words.mostMegabytes} per={BYTES_PER_MB} />
          </Pair>
          <AcceptSetting of={of} />
        </>
      );
    case 'email':
    case 'phone':
    case 'time':
    case 'address':
    case 'select':
    case 'radio':
    case 'yes_no':
    case 'matrix':
    case 'signature':
    case 'consent':
    case 'hidden':
    case 'calculated':
    case 'heading':
    case 'section':
    case 'unknown':
    case 'ornament':
      return null;
    default:
      return kind satisfies never;
  }
}

function Pair({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-2 items-end gap-3">{children}</div>;
}
