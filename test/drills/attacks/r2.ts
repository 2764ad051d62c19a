import type { Attack } from '../attack.ts';

const body = `<CompleteMultipartUpload>${'<Part>'.repeat(Math.floor((200 * 1024) / 6))}`;

export const attack: Attack = {
  name: 'R2 part list of 200 KB without ends',
  async run({ url }) {
    // Refused, whatever the upload's id is: what counts is how long the others wait.
    const target = `${url}/media/attack?uploadId=none`;
    const answers = await Promise.all(Array.from({ length: 3 }, () => fetch(target, { method: 'POST', body })));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  },
};
