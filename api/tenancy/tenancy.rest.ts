import { out, serializer } from '../../shared/core/operations/serializer.js';
import { getNamespace, listNamespaces, namespaceExists } from '../../shared/tenancy/namespaces/namespace.operations.js';
import { namespaceSerializer } from '../../shared/tenancy/namespaces/namespace.serializer.js';
import { get, routes, del, post, put } from '../core/routes.js';
import { avatarUploadLimit } from '../../shared/instance/avatars/avatars.js';
import { createTopic, deleteTopic, mergeTopics, updateTopic } from '../../shared/tenancy/topics/edit-topics.js';
import { getTopic, listTopics, topicSerializer } from '../../shared/tenancy/topics/topic.operations.js';
import {
  deleteSpamLog,
  getSpamLog,
  listSpamLogs,
  markSpamLogAsHam,
  spamLogSerializer,
} from '../../shared/tenancy/spam/spam-log.operations.js';

const existence = serializer<{ exists: boolean; suggests: string[] }>('NamespaceExistence', {
  exists: out.boolean((found) => found.exists),
  suggests: out.texts((found) => found.suggests),
});

export const namespaceRoutes = routes('/namespaces', [
  get('/', listNamespaces, { present: namespaceSerializer, paginate: 'offset' }),
  get('/:id', getNamespace, { present: namespaceSerializer }),
  get('/:id/exists', namespaceExists, { present: existence }),
]);

export const topicRoutes = routes('/topics', [
  get('/', listTopics, { present: topicSerializer, paginate: 'offset' }),
  post('/', createTopic, { present: topicSerializer, status: 201, uploadLimit: avatarUploadLimit }),
  post('/merge', mergeTopics, { present: topicSerializer, status: 201 }),
  get('/:id', getTopic, { present: topicSerializer }),
  put('/:id', updateTopic, { present: topicSerializer, uploadLimit: avatarUploadLimit }),
  del('/:id', deleteTopic, { status: 204 }),
]);

export const spamLogRoutes = routes('/admin/spam_logs', [
  get('/', listSpamLogs, { present: spamLogSerializer, paginate: 'offset' }),
  get('/:id', getSpamLog, { present: spamLogSerializer }),
  del('/:id', deleteSpamLog, { status: 204 }),
  post('/:id/mark_as_ham', markSpamLogAsHam, { present: spamLogSerializer, status: 201 }),
]);
