import { answerQuestions } from '../../core/threads/thread-answers.js';
import { compileConfiguration } from './compile-configuration.js';
import type { Compilation, CompileRequest, DataAnswer } from './compile.types.js';

/** The thread that compiles configurations: see compile-thread.ts. */
answerQuestions<CompileRequest, Compilation>((request, ask) =>
  compileConfiguration(request, (about) => ask(about) as Promise<DataAnswer>),
);
