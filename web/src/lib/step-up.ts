/** Step-up: a call refused with 30002 is repeated once the person has proved themselves by a fresh code. */
import type { StepUpNeeded } from '@hengxi/server/accounts/schema';

import { ApiError } from './api.ts';
import { useSignIn } from './sign-in.ts';

export const STEP_UP = 30002;

/** Runs the call; asks for the proof where the server wants one. `call` must claim STEP_UP. Null when it was not given. */
export async function withStepUp<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== STEP_UP) throw error;
    return (await ask(error.data)) ? call() : null;
  }
}

function ask(data: unknown): Promise<boolean> {
  const facts: Partial<StepUpNeeded> = typeof data === 'object' && data !== null ? data : {};
  return new Promise((resolve) => {
    useSignIn.setState({
      stepUp: {
        phone: facts.phone ?? null,
        done: (proved) => {
          useSignIn.setState({ stepUp: null });
          resolve(proved);
        },
      },
    });
  });
}
