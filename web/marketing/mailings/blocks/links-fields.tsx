import { Plus, Trash2 } from 'lucide-react';
import type { SimpleBlock } from '../../../../src/marketing/mailings/content/blocks.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { words } from '../../../words/blocks.ts';
import type { MergeField } from '../write/merge-fields.ts';
import { MergeInput } from '../write/merge-input.tsx';

type Links = Extract<SimpleBlock, { type: 'social' }>;

interface LinksFieldsProps {
  block: Links;
  fields: readonly MergeField[];
  onChange(block: Links): void;
}

const MOST = 12;

/** Links beside each other: the website, and wherever else the clinic is found. */
export function LinksFields({ block, fields, onChange }: LinksFieldsProps) {
  const { links } = block;
  const { fields: labels, sample } = words;
  const set = (at: number, change: Partial<Links['links'][number]>) =>
    onChange({ ...block, links: links.map((link, each) => (each === at ? { ...link, ...change } : link)) });
  return (
    <div className="flex flex-col gap-3">
      {links.map((link, at) => (
        // A link has nothing but its place to be known by.
        <div key={`link-${at + 1}`} className="flex flex-wrap items-end gap-2">
          <Field label={labels.linkLabel(at + 1)} className="min-w-32 grow">
            <Input value={link.label} onChange={(event) => set(at, { label: event.target.value })} />
          </Field>
          <div className="min-w-48 grow">
            <MergeInput
              label={labels.linkUrl(at + 1)}
              value={link.url}
              fields={fields}
              refusePhi
              onChange={(url) => set(at, { url })}
            />
          </div>
          <Button
            look="quiet"
            icon={Trash2}
            aria-label={labels.removeLink(at + 1)}
            disabled={links.length === 1}
            onClick={() => onChange({ ...block, links: links.toSpliced(at, 1) })}
          />
        </div>
      ))}
      <Button
        icon={Plus}
        className="self-start"
        disabled={links.length >= MOST}
        onClick={() => onChange({ ...block, links: [...links, { label: sample.website, url: sample.url }] })}
      >
        {labels.addLink}
      </Button>
    </div>
  );
}
