/**
 * The public interface of the codec: photos in, finished JPEGs out. Import nothing else of this package.
 *
 *     const { original, watermarked, width, height } = processPhoto(bytes, { maxSide: 1920, watermark })
 *     const { image, thumb } = processPanorama(bytes)
 *
 * Every call is synchronous and throws a PhotoError for a picture that it refuses.
 */

export { detectType, type PhotoType } from './detect.ts'
export type { PhotoInfo } from './dimensions.ts'
export { CODEC_ERRORS, PhotoError, unsupportedType } from './errors.ts'
export {
  inspectPhoto,
  isWatermarkImage,
  MAX_PHOTO_BYTES,
  type PanoramaOptions,
  type PhotoOptions,
  type ProcessedPanorama,
  type ProcessedPhoto,
  processPanorama,
  processPhoto,
  readPhotoSize,
} from './process.ts'
