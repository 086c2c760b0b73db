import { answerQuestions } from '../../shared/core/threads/thread-answers.js';

/** The thread's reaction to a word, for `thread.test.ts`. */
answerQuestions<string, string>(async (word, ask) => {
  if (word === 'spin') for (;;);
  if (word === 'throw') throw new Error('I will not.');
  if (word === 'exit') process.exit(3);
  if (word === 'request') return `got ${JSON.stringify(await ask({ of: word }))}`;
  return word.toUpperCase();
});
