/** The fields of the volumes of a pod, in the notation of `type-table.ts`. */
export const CORE_VOLUME_TYPES = `
AWSElasticBlockStoreVolumeSource: fsType string, partition integer, readOnly boolean, volumeID! string
AzureDiskVolumeSource: kind string, cachingMode string, diskName! string, diskURI! string, fsType string,
  readOnly boolean
AzureFileVolumeSource: readOnly boolean, secretName! string, shareName! string
CSIVolumeSource: driver! string, fsType string, nodePublishSecretRef LocalObjectReference, readOnly boolean,
  volumeAttributes map<string>
CephFSVolumeSource: monitors! string[], path string, readOnly boolean, secretFile string,
  secretRef LocalObjectReference, user string
CinderVolumeSource: fsType string, readOnly boolean, secretRef LocalObjectReference, volumeID! string
ClusterTrustBundleProjection: labelSelector LabelSelector, name string, optional boolean, path! string,
  signerName string
ConfigMapProjection: items KeyToPath[], name string, optional boolean
ConfigMapVolumeSource: defaultMode integer, items KeyToPath[], name string, optional boolean
DownwardAPIProjection: items DownwardAPIVolumeFile[]
DownwardAPIVolumeFile: fieldRef ObjectFieldSelector, mode integer, path! string,
  resourceFieldRef ResourceFieldSelector
DownwardAPIVolumeSource: defaultMode integer, items DownwardAPIVolumeFile[]
EmptyDirVolumeSource: medium string, sizeLimit Quantity
EphemeralVolumeSource: volumeClaimTemplate PersistentVolumeClaimTemplate
FCVolumeSource: fsType string, lun integer, readOnly boolean, targetWWNs string[], wwids string[]
FlexVolumeSource: driver! string, fsType string, options map<string>, readOnly boolean,
  secretRef LocalObjectReference
FlockerVolumeSource: datasetName string, datasetUUID string
GCEPersistentDiskVolumeSource: fsType string, partition integer, pdName! string, readOnly boolean
GitRepoVolumeSource: directory string, repository! string, revision string
GlusterfsVolumeSource: endpoints! string, path! string, readOnly boolean
HostPathVolumeSource: path! string, type string
ISCSIVolumeSource: chapAuthDiscovery boolean, chapAuthSession boolean, fsType string, initiatorName string,
  iqn! string, iscsiInterface string, lun! integer, portals string[], readOnly boolean,
  secretRef LocalObjectReference, targetPortal! string
ImageVolumeSource: pullPolicy string, reference string
KeyToPath: key! string, mode integer, path! string
NFSVolumeSource: path! string, readOnly boolean, server! string
PersistentVolumeClaimSpec: accessModes string[], dataSource TypedLocalObjectReference,
  dataSourceRef TypedObjectReference, resources VolumeResourceRequirements, selector LabelSelector,
  storageClassName string, volumeAttributesClassName string, volumeMode string, volumeName string
PersistentVolumeClaimTemplate: metadata ObjectMeta, spec! PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource: claimName! string, readOnly boolean
PhotonPersistentDiskVolumeSource: fsType string, pdID! string
PodCertificateProjection: certificateChainPath string, credentialBundlePath string, keyPath string,
  keyType! string, maxExpirationSeconds integer, signerName! string, userAnnotations map<string>
PortworxVolumeSource: fsType string, readOnly boolean, volumeID! string
ProjectedVolumeSource: defaultMode integer, sources VolumeProjection[]
QuobyteVolumeSource: group string, readOnly boolean, registry! string, tenant string, user string, volume! string
RBDVolumeSource: fsType string, image! string, keyring string, monitors! string[], pool string, readOnly boolean,
  secretRef LocalObjectReference, user string
ScaleIOVolumeSource: fsType string, gateway! string, protectionDomain string, readOnly boolean,
  secretRef! LocalObjectReference, sslEnabled boolean, storageMode string, storagePool string, system! string,
  volumeName string
SecretProjection: items KeyToPath[], name string, optional boolean
SecretVolumeSource: defaultMode integer, items KeyToPath[], optional boolean, secretName string
ServiceAccountTokenProjection: audience string, expirationSeconds int64, path! string
StorageOSVolumeSource: fsType string, readOnly boolean, secretRef LocalObjectReference, volumeName string,
  volumeNamespace string
TypedLocalObjectReference: kind! string, apiGroup string, name! string
TypedObjectReference: kind! string, apiGroup string, name! string, namespace string
Volume: awsElasticBlockStore AWSElasticBlockStoreVolumeSource, azureDisk AzureDiskVolumeSource,
  azureFile AzureFileVolumeSource, cephfs CephFSVolumeSource, cinder CinderVolumeSource,
  configMap ConfigMapVolumeSource, csi CSIVolumeSource, downwardAPI DownwardAPIVolumeSource,
  emptyDir EmptyDirVolumeSource, ephemeral EphemeralVolumeSource, fc FCVolumeSource, flexVolume FlexVolumeSource,
  flocker FlockerVolumeSource, gcePersistentDisk GCEPersistentDiskVolumeSource, gitRepo GitRepoVolumeSource,
  glusterfs GlusterfsVolumeSource, hostPath HostPathVolumeSource, image ImageVolumeSource,
  iscsi ISCSIVolumeSource, name! string, nfs NFSVolumeSource,
  persistentVolumeClaim PersistentVolumeClaimVolumeSource, photonPersistentDisk PhotonPersistentDiskVolumeSource,
  portworxVolume PortworxVolumeSource, projected ProjectedVolumeSource, quobyte QuobyteVolumeSource,
  rbd RBDVolumeSource, scaleIO ScaleIOVolumeSource, secret SecretVolumeSource, storageos StorageOSVolumeSource,
  vsphereVolume VsphereVirtualDiskVolumeSource
VolumeProjection: clusterTrustBundle ClusterTrustBundleProjection, configMap ConfigMapProjection,
  downwardAPI DownwardAPIProjection, podCertificate PodCertificateProjection, secret SecretProjection,
  serviceAccountToken ServiceAccountTokenProjection
VolumeResourceRequirements: limits map<Quantity>, requests map<Quantity>
VsphereVirtualDiskVolumeSource: fsType string, storagePolicyID string, storagePolicyName string,
  volumePath! string
`;
