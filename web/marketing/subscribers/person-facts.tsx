import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/person.ts';

/** Name, address and the customer's own fields; those with health data say so. */
export function PersonFacts({ person: { id, attributes } }: { person: Reply<'readSubscriber'>['data'] }) {
  const types = useRead('listCustomFieldTypes', {});
  const sealed = new Set(types.data?.data.filter((type) => type.attributes.class === 'phi').map((type) => type.id));
  const own = (attributes.custom_fields ?? []).map((field) => {
    const isSealed = sealed.has(field.subscriber_custom_field_type_id);
    const value = (
      <span className="inline-flex flex-wrap items-center gap-2 wrap-anywhere">
        {field.custom_field_value}
        {isSealed && <Badge tone="info">{words.health}</Badge>}
      </span>
    );
    return [field.custom_field_name, value] as const;
  });
  const { unsubscribed } = attributes;
  return (
    <Card title={words.knownTitle}>
      <Facts
        facts={[
          [words.email, known(attributes.email)],
          [words.phone, known(attributes.phone_number)],
          [words.timeZone, known(attributes.time_zone)],
          [
            words.state,
            <Badge key="state" tone={unsubscribed ? 'warn' : 'good'}>
              {unsubscribed ? words.optedOut : words.subscribed}
            </Badge>,
          ],
          [words.added, <When key="added" at={attributes.created_at} exact />],
          ...own,
          [words.id, <CopyText key="id" label={words.id} value={id} />],
        ]}
      />
    </Card>
  );
}

function known(value: string | null) {
  return value ?? <span className="text-soft">{words.unknown}</span>;
}
