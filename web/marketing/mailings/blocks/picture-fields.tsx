import type { SimpleBlock } from '../../../../src/marketing/mailings/content/blocks.ts';
import { Field, Input } from '../../../ui/field.tsx';
import { words } from '../../../words/blocks.ts';
import type { MergeField } from '../write/merge-fields.ts';
import { MergeInput } from '../write/merge-input.tsx';
import { AlignField } from './align-field.tsx';

type Picture = Extract<SimpleBlock, { type: 'image' }>;

interface PictureFieldsProps {
  block: Picture;
  fields: readonly MergeField[];
  onChange(block: Picture): void;
}

const WIDEST = 600;

/** What can be said of a picture. */
export function PictureFields({ block, fields, onChange }: PictureFieldsProps) {
  const { link: _link, ...without } = block;
  const { fields: labels } = words;
  return (
    <div className="flex flex-col gap-3">
      <MergeInput
        label={labels.picture}
        hint={labels.pictureHint}
        value={block.url}
        fields={fields}
        refusePhi
        onChange={(url) => onChange({ ...block, url })}
      />
      <Field label={labels.alt} hint={labels.altHint}>
        <Input value={block.alt} onChange={(event) => onChange({ ...block, alt: event.target.value })} />
      </Field>
      <MergeInput
        label={labels.link}
        optional
        value={block.link ?? ''}
        fields={fields}
        refusePhi
        onChange={(link) => onChange(link === '' ? without : { ...block, link })}
      />
      <div className="flex flex-wrap gap-4">
        <Field label={labels.width} className="w-36">
          <Input
            type="number"
            min={16}
            max={WIDEST}
            value={block.width ?? WIDEST}
            onChange={(event) => onChange({ ...block, width: Number(event.target.value) })}
          />
        </Field>
        <AlignField align={block.align ?? 'center'} onChange={(align) => onChange({ ...block, align })} />
      </div>
    </div>
  );
}
