"""DICOM files with a patient's name in them, for the tests."""

import io
from typing import Any

import numpy as np

SECRETS = ("Zzdoe^Jane", "ZZ-PATIENT-7", "Zz Hospital", "1.2.826.0.1.3680043.8.498.77", "19501231")


def dicom(values: Any, **more: Any) -> bytes:
    """Return a 12-bit DICOM picture of these stored values; `more` are further tags."""
    import pydicom
    from pydicom.dataset import FileDataset, FileMetaDataset
    from pydicom.uid import ExplicitVRLittleEndian, SecondaryCaptureImageStorage

    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = SecondaryCaptureImageStorage
    meta.MediaStorageSOPInstanceUID = SECRETS[3]
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    out = io.BytesIO()
    held = FileDataset(out, {}, file_meta=meta, preamble=b"\0" * 128)
    held.PatientName, held.PatientID, held.InstitutionName = SECRETS[:3]
    held.SOPInstanceUID, held.PatientBirthDate = SECRETS[3], SECRETS[4]
    held.SOPClassUID = SecondaryCaptureImageStorage
    held.Modality, held.SamplesPerPixel, held.PhotometricInterpretation = "DX", 1, "MONOCHROME2"
    held.Rows, held.Columns = values.shape
    held.BitsAllocated, held.BitsStored, held.HighBit, held.PixelRepresentation = 16, 12, 11, 0
    held.PixelData = np.asarray(values, dtype="<u2").tobytes()
    for name, value in more.items():
        setattr(held, name, value)
    pydicom.dcmwrite(out, held, enforce_file_format=True)
    return out.getvalue()
