import { Field, Input } from '../../../ui/field.tsx';
import { words } from '../../../words/blocks.ts';
import { MergeInput } from '../write/merge-input.tsx';
import { AlignField } from './align-field.tsx';
import { useCanvas } from './canvas-context.ts';
import type { SimpleItem } from './items.ts';
import { LevelField } from './level-field.tsx';
import { LinksFields } from './links-fields.tsx';
import { PictureFields } from './picture-fields.tsx';
import { RichTextField } from './rich-text-field.tsx';

const { fields: labels } = words;
const BUTTON_COLOUR = '#0b6557';

/** What can be said of a block, by its kind. */
export function BlockFields({ item: { id, block } }: { item: SimpleItem }) {
  const { change, fields } = useCanvas();
  const set = (changed: SimpleItem['block']) => change(id, () => ({ id, block: changed }));
  switch (block.type) {
    case 'heading':
      return (
        <Stack>
          <MergeInput
            label={labels.text}
            value={block.text}
            fields={fields}
            onChange={(text) => set({ ...block, text })}
          />
          <Row>
            <LevelField level={block.level ?? 1} onChange={(level) => set({ ...block, level })} />
            <AlignField align={block.align ?? 'left'} onChange={(align) => set({ ...block, align })} />
          </Row>
        </Stack>
      );
    case 'rich_text':
      return (
        <Stack>
          <RichTextField
            label={labels.text}
            parts={block.parts}
            fields={fields}
            onChange={(parts) => set({ ...block, parts })}
          />
          <Row>
            <AlignField align={block.align ?? 'left'} onChange={(align) => set({ ...block, align })} />
          </Row>
        </Stack>
      );
    case 'button':
      return (
        <Stack>
          <MergeInput
            label={labels.label}
            value={block.label}
            fields={fields}
            onChange={(label) => set({ ...block, label })}
          />
          <MergeInput
            label={labels.url}
            hint={labels.urlHint}
            value={block.url}
            fields={fields}
            refusePhi
            onChange={(url) => set({ ...block, url })}
          />
          <Row>
            <Field label={labels.colour}>
              <Input
                type="color"
                className="h-9 w-20 p-1"
                value={block.colour ?? BUTTON_COLOUR}
                onChange={(event) => set({ ...block, colour: event.target.value })}
              />
            </Field>
            <AlignField align={block.align ?? 'center'} onChange={(align) => set({ ...block, align })} />
          </Row>
        </Stack>
      );
    case 'image':
      return <PictureFields block={block} fields={fields} onChange={set} />;
    case 'spacer':
      return (
        <Field label={labels.height}>
          <Input
            type="number"
            min={4}
            max={200}
            className="w-28"
            value={block.height ?? 20}
            onChange={(event) => set({ ...block, height: Number(event.target.value) })}
          />
        </Field>
      );
    case 'social':
      return <LinksFields block={block} fields={fields} onChange={set} />;
    case 'footer':
      return (
        <Stack>
          <MergeInput
            label={labels.footer}
            hint={labels.footerHint}
            rows={3}
            value={block.text}
            fields={fields}
            onChange={(text) => set({ ...block, text })}
          />
          <Field label={labels.unsubscribe}>
            <Input value={block.unsubscribe} onChange={(event) => set({ ...block, unsubscribe: event.target.value })} />
          </Field>
        </Stack>
      );
    case 'divider':
    case 'text':
  }
  return <p className="text-sm text-soft">{words.nothingToSet}</p>;
}

function Stack({ children }: { children: React.ReactNode }) {
  return <div className="flex flex-col gap-3">{children}</div>;
}

function Row({ children }: { children: React.ReactNode }) {
  return <div className="flex flex-wrap gap-4">{children}</div>;
}
