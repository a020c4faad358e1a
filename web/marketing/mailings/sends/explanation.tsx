import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/query.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Loaded } from '../../../ui/problem.tsx';
import { When } from '../../../ui/when.tsx';
import { words } from '../../../words/mailings.ts';
import type { ChosenPerson } from '../person-picker.tsx';

/** What became of a mailing for one person, send by send, with the reason. */
export function Explanation({ mailingId, person }: { mailingId: string; person: ChosenPerson }) {
  const read = useRead('explainCampaignMailing', { params: { id: mailingId }, query: { subscriber_id: person.id } });
  return (
    <div className="flex flex-col gap-3">
      <h3 className="font-medium">{words.whyFor(person.name)}</h3>
      <Loaded read={read}>
        {({ data: { sends } }) =>
          sends.length === 0 ? (
            <p className="text-sm text-soft">{words.whyNever}</p>
          ) : (
            <ul className="flex flex-col divide-y">
              {sends.map((send) => (
                <li key={send.campaign_mailing_send_id} className="flex flex-col gap-1 py-2 text-sm">
                  <span className="flex flex-wrap items-center gap-2">
                    <Badge>{words.deliveryStates[send.state] ?? send.state}</Badge>
                    {send.settled_at !== null && <When at={send.settled_at} exact />}
                    <Link
                      to="/marketing/mailings/sends/$sendId"
                      params={{ sendId: send.campaign_mailing_send_id }}
                      className="text-brand underline underline-offset-2"
                    >
                      {words.openSend}
                    </Link>
                  </span>
                  <span>{send.explanation}</span>
                  {send.opened_at !== null && (
                    <span className="text-soft">
                      {words.opened} <When at={send.opened_at} exact />
                    </span>
                  )}
                  {send.clicked_at !== null && (
                    <span className="text-soft">
                      {words.clicked} <When at={send.clicked_at} exact />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}
