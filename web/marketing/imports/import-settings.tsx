import { useRead } from '../../api/query.ts';
import { Checkbox, Field, Select, Textarea } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { words } from '../../words/imports.ts';

/** How the people of a file come in. */
export interface ImportSettings {
  list: string;
  consent: string;
  startDrips: boolean;
}

interface SettingsCardProps {
  settings: ImportSettings;
  onChange(settings: ImportSettings): void;
}

/** The list that people join, what they agreed to, and whether drips begin for them. */
export function SettingsCard({ settings, onChange }: SettingsCardProps) {
  const lists = useRead('listSubscriptionLists', { query: { order_by: 'name', order: 'asc' } });
  return (
    <Card title={words.settingsTitle}>
      <div className="flex flex-col gap-4">
        <Field label={words.list} className="max-w-sm">
          <Select value={settings.list} onChange={(event) => onChange({ ...settings, list: event.target.value })}>
            <option value="">{words.noList}</option>
            {lists.data?.data
              .filter(({ attributes }) => !attributes.is_default)
              .map(({ id, attributes: { name } }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </Select>
        </Field>
        <Field label={words.consent} hint={words.consentHint} optional>
          <Textarea
            rows={2}
            value={settings.consent}
            onChange={(event) => onChange({ ...settings, consent: event.target.value })}
          />
        </Field>
        <Checkbox
          label={words.startDrips}
          hint={words.startDripsHint}
          checked={settings.startDrips}
          onChange={(event) => onChange({ ...settings, startDrips: event.target.checked })}
        />
      </div>
    </Card>
  );
}
