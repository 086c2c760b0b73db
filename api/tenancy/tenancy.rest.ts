import { out, shape } from '../../shared/core/operations/shape.js';
import { getNamespace, listNamespaces, namespaceExists } from '../../shared/tenancy/namespaces/namespace.operations.js';
import { namespaceShape } from '../../shared/tenancy/namespaces/namespace.shape.js';
import { get, routes, del, post, put } from '../core/routes.js';
import { avatarUploadLimit } from '../../shared/instance/avatars/avatars.js';
import { createTopic, deleteTopic, mergeTopics, updateTopic } from '../../shared/tenancy/topics/edit-topics.js';
import { getTopic, listTopics, topicShape } from '../../shared/tenancy/topics/topic.operations.js';
import {
  deleteSpamLog,
  getSpamLog,
  listSpamLogs,
  markSpamLogAsHam,
  spamLogShape,
} from '../../shared/tenancy/spam/spam-log.operations.js';

const existence = shape<{ exists: boolean; suggests: string[] }>('NamespaceExistence', {
  exists: out.boolean((found) => found.exists),
  suggests: out.texts((found) => found.suggests),
});

const namespaceRoutes = routes('/namespaces', [
  get('/', listNamespaces, { present: namespaceShape, paginate: 'offset' }),
  get('/:id', getNamespace, { present: namespaceShape }),
  get('/:id/exists', namespaceExists, { present: existence }),
]);

const topicRoutes = routes('/topics', [
  get('/', listTopics, { present: topicShape, paginate: 'offset' }),
  post('/', createTopic, { present: topicShape, status: 201, uploadLimit: avatarUploadLimit }),
  post('/merge', mergeTopics, { present: topicShape, status: 201 }),
  get('/:id', getTopic, { present: topicShape }),
  put('/:id', updateTopic, { present: topicShape, uploadLimit: avatarUploadLimit }),
  del('/:id', deleteTopic, { status: 204 }),
]);

const spamLogRoutes = routes('/admin/spam_logs', [
  get('/', listSpamLogs, { present: spamLogShape, paginate: 'offset' }),
  get('/:id', getSpamLog, { present: spamLogShape }),
  del('/:id', deleteSpamLog, { status: 204 }),
  post('/:id/mark_as_ham', markSpamLogAsHam, { present: spamLogShape, status: 201 }),
]);
