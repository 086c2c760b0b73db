import type { AreaExamples, RecordExample } from '../../core/area-examples.js';

/** A request of everybody's that was refused: people are told of their own alone. */
const refusedRequest: RecordExample = async ({ app, people, unique }) => {
  const id = `refused-${unique()}`;
  for (const { token } of Object.values(people)) {
    // What else is refused to them meanwhile takes the room of this one.
    await app.refusals.written();
    await app.withHeaders({ 'PRIVATE-TOKEN': token, 'X-Request-Id': id }).get('/projects/0');
  }
  await app.refusals.written();
  return id;
};

export default {
  records: { '/refused_requests/:request_id': refusedRequest },
} satisfies AreaExamples;
