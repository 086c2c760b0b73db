import { answerQuestions } from '../../core/threads/thread-answers.js';
import { measureFiles } from './measure-files.js';
import type { FileDetails } from './measure-files.js';

answerQuestions<Uint8Array, FileDetails>((list, ask) => measureFiles(list, (ids) => ask(ids) as Promise<Uint8Array[]>));
