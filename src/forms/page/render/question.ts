import { drawListed, drawRating, drawSelect, drawYesNo } from './choices.ts';
import { drawAddress, drawCalculated, drawConsent, drawHidden, drawMatrix } from './compound.ts';
import { drawFiles } from './file.ts';
import type { Html } from './html.ts';
import type { Place } from './place.ts';
import { drawSignatureQuestion } from './signature.ts';
import {
  drawDate,
  drawDateTime,
  drawEmail,
  drawLongText,
  drawNumber,
  drawPhone,
  drawText,
  drawTime,
  drawUnknown,
} from './typed.ts';

/** Draws a question with its controls, by its kind. */
export function drawQuestion(place: Place): Html {
  const { question } = place;
  switch (question.kind) {
    case 'text':
      return question.format === null ? drawText(place) : drawDateTime(place);
    case 'long_text':
      return drawLongText({ ...place, question });
    case 'number':
      return drawNumber({ ...place, question });
    case 'email':
      return drawEmail(place);
    case 'phone':
      return drawPhone(place);
    case 'time':
      return drawTime(place);
    case 'date':
      return drawDate({ ...place, question });
    case 'address':
      return drawAddress(place);
    case 'select':
      return drawSelect({ ...place, question });
    case 'radio':
    case 'checkboxes':
      return drawListed({ ...place, question });
    case 'yes_no':
      return drawYesNo({ ...place, question });
    case 'rating':
      return drawRating({ ...place, question });
    case 'matrix':
      return drawMatrix({ ...place, question });
    case 'file':
      return drawFiles({ ...place, question });
    case 'signature':
      return drawSignatureQuestion(place);
    case 'consent':
      return drawConsent({ ...place, question });
    case 'hidden':
      return drawHidden(place);
    case 'unknown':
      return drawUnknown(place);
    case 'calculated':
      return drawCalculated(place);
    default:
      return question satisfies never;
  }
}
