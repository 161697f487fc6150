import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';

import { NO_VID, versionOrNoneQuery, versionQuery } from './catalogue.ts';

it('the version of a method without data is nobody else’s: its key is its own, a real version’s is shared', async () => {
  const client = new QueryClient();
  const none = await client.fetchQuery(versionOrNoneQuery(NO_VID));
  expect(none.columns).toEqual([]);
  expect(client.getQueryData(versionQuery(NO_VID).queryKey)).toBeUndefined();
  expect(versionOrNoneQuery(7).queryKey).toEqual(versionQuery(7).queryKey);
});
