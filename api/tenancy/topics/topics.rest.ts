import { avatarUploadLimit } from '../../../shared/instance/avatars/avatars.js';
import { createTopic, deleteTopic, mergeTopics, updateTopic } from '../../../shared/tenancy/topics/edit-topics.js';
import { getTopic, listTopics, topicShape } from '../../../shared/tenancy/topics/topic.operations.js';
import { del, get, post, put, routes } from '../../core/routes.js';

export default routes('/topics', [
  get('/', listTopics, { present: topicShape, paginate: 'offset' }),
  post('/', createTopic, { present: topicShape, status: 201, uploadLimit: avatarUploadLimit }),
  post('/merge', mergeTopics, { present: topicShape, status: 201 }),
  get('/:id', getTopic, { present: topicShape }),
  put('/:id', updateTopic, { present: topicShape, uploadLimit: avatarUploadLimit }),
  del('/:id', deleteTopic, { status: 204 }),
]);
