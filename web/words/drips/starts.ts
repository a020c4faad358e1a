/** Making a drip campaign: the form, the starting points and the texts of their mails. */
export const words = {
  title: 'New drip campaign',
  lead: 'It begins as a draft: nobody gets anything before you start it.',
  from: 'Begin with',
  name: 'Name',
  needsName: 'Enter a name.',
  list: 'List',
  listHint: 'People on this list can enter.',
  sender: 'Sender address',
  senderHint: 'An address at one of your verified domains. It can be set later.',
  fromName: 'Sender name',
  create: 'Create the draft',
  creating: 'Writing the mails and the steps',
  withMails: (count: number) => `${count} mails are written for you to change`,
  starts: {
    welcome: {
      name: 'Welcome series',
      hint: 'Greets whoever joins the list, says what to expect, and reminds those who did not read it.',
    },
    follow_up: {
      name: 'Appointment follow-up',
      hint: 'For people whom you let in after a visit: thanks them, asks how it was, and reminds once.',
    },
    reactivation: {
      name: 'Reactivation',
      hint: 'For people you have not heard from: invites them back, and asks whether to stay in touch.',
    },
    blank: { name: 'Empty canvas', hint: 'Only who enters is set: whoever joins the list.' },
  },
  numbered: (title: string, number: number) => (number === 1 ? title : `${title} (${number})`),
  mails: {
    welcome_1: {
      title: 'Welcome 1: hello',
      subject: 'Welcome, {{first_name}}',
      heading: 'Welcome',
      text: 'Hello {{first_name}},\n\nthank you for signing up with us. Over the next days we will tell you what to expect and how to reach us.',
    },
    welcome_2: {
      title: 'Welcome 2: what to expect',
      subject: 'Before you come to see us',
      heading: 'What to expect',
      text: 'Please plan ten minutes before your first appointment and bring your insurance card. You can fill in the forms at home.',
    },
    welcome_3: {
      title: 'Welcome 3: reminder',
      subject: 'Did you see this?',
      heading: 'A short reminder',
      text: 'We sent you a note about your first appointment. If anything is unclear, just answer this mail or give us a call.',
    },
    follow_up_1: {
      title: 'Follow-up 1: thank you',
      subject: 'Thank you for coming in',
      heading: 'How was it?',
      text: 'Hello {{first_name}},\n\nthank you for coming in. We would like to know how it was: a minute of your time helps us to get better.',
    },
    follow_up_2: {
      title: 'Follow-up 2: reminder',
      subject: 'One minute for us?',
      heading: 'We would still like to hear from you',
      text: 'We asked you how your visit was. If you have a minute, we would be glad to hear from you.',
    },
    reactivation_1: {
      title: 'Reactivation 1: invitation',
      subject: 'It has been a while, {{first_name}}',
      heading: 'We would be glad to see you again',
      text: 'Hello {{first_name}},\n\nit has been a while. Our calendar is open, and booking takes a minute.',
    },
    reactivation_2: {
      title: 'Reactivation 2: how to book',
      subject: 'How to book with us',
      heading: 'Booking is easy',
      text: 'Call us, or answer this mail with two or three times that suit you, and we will find one.',
    },
    reactivation_3: {
      title: 'Reactivation 3: stay in touch?',
      subject: 'Shall we stay in touch?',
      heading: 'Shall we stay in touch?',
      text: 'We have not heard from you. If you would rather not get mails like this one, the link below takes you off the list.',
    },
  },
} as const;
