import { answerQuestions } from '../threads/thread-answers.js';
import type { RenderQuestion } from './render-apart.js';
import type { Rendered } from './reference-syntax.js';
import { renderText } from './render-text.js';

answerQuestions<RenderQuestion, Rendered>(({ written, form, marks }) => renderText(written, form, marks));
