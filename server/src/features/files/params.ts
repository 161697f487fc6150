/** Ids in addresses. */
import { z } from 'zod';
import { Id } from './schema.ts';

export const FileId = z.object({ fid: Id });
export const VersionId = z.object({ vid: Id });
export const UploadId = z.object({ id: Id });
export const FilterId = z.object({ fid: Id, id: Id });
