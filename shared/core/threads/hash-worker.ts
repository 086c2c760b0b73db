import { scryptSync } from 'node:crypto';
import type { HashRequest } from './passwords.js';
import { answerQuestions } from './thread-answers.js';

answerQuestions<HashRequest, Uint8Array>(({ password, salt, options }) => scryptSync(password, salt, 32, options));
